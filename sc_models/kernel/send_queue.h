#pragma once
// Queue of the sends of one cycle, which come from several clients in no particular order and enter the network in the
// order (node, client, tag).

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "kernel/clock_domain.h"
#include "kernel/endpoint.h"

namespace weft {

/// Owner: a fabric whose enter(from, transfer) puts a transfer into the interface of its source, in Phase::generate or
/// Phase::submit of a cycle.
template <class Owner>
class SendQueue final : public Agent {
 public:
  SendQueue(Owner& owner, ClockDomain& domain) : owner_(owner), domain_(domain) {}

  ClientId attach(Client& client) {
    clients_.push_back(&client);
    return static_cast<ClientId>(clients_.size() - 1);
  }
  Client& client(ClientId id) const { return *clients_.at(id); }

  /// With a single client the order is its own.
  [[gnu::always_inline]] void send(NodeId from, const Transfer& transfer) {
    if (clients_.size() <= 1 && domain_.serving()) {
      owner_.enter(from, transfer);
    } else {
      wait(from, transfer);
    }
  }

  void due(Cycle now, std::uint32_t /*token*/) override {
    std::vector<Waiting> due;
    std::vector<Waiting> later;
    for (Waiting& w : waiting_) (w.at <= now ? due : later).push_back(std::move(w));
    waiting_ = std::move(later);
    std::stable_sort(due.begin(), due.end(), [](const Waiting& a, const Waiting& b) {
      return std::tuple(a.from, a.transfer.client, a.transfer.tag) <
             std::tuple(b.from, b.transfer.client, b.transfer.tag);
    });
    for (Waiting& w : due) {
      w.transfer.group = w.group;
      owner_.enter(w.from, w.transfer);
    }
  }

 private:
  struct Waiting {
    Cycle at = 0;
    NodeId from = kNoId;
    Transfer transfer;
    std::vector<NodeId> group;
  };
  [[gnu::noinline]] void wait(NodeId from, const Transfer& transfer) {
    const Cycle at = domain_.serving() ? domain_.now() : domain_.next_cycle();
    if (waiting_.empty() || waiting_.back().at != at) domain_.schedule(at, Phase::submit, *this, 0);
    waiting_.push_back({at, from, transfer, {transfer.group.begin(), transfer.group.end()}});
  }

  Owner& owner_;
  ClockDomain& domain_;
  std::vector<Client*> clients_;
  std::vector<Waiting> waiting_;
};

}  // namespace weft
