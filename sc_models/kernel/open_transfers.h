#pragma once
// Transfers under way in a fabric that carries each of them whole, to one destination or to several: their records, the
// accounting, and what observers are told.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "kernel/endpoint.h"
#include "kernel/record.h"

namespace weft {

/// Destinations of a transfer, ascending.
inline std::vector<NodeId> destinations_of(const Transfer& transfer) {
  std::vector<NodeId> out(transfer.group.begin(), transfer.group.end());
  if (out.empty()) out.push_back(transfer.to);
  std::sort(out.begin(), out.end());
  return out;
}

/// What a fabric knows of a transfer besides, when that is nothing.
struct NoExtraState {};

/// `Extra`: what the fabric knows of a transfer besides.
template <class Extra = NoExtraState>
class OpenTransfers {
 public:
  using Number = std::uint32_t;  ///< used again once released
  struct Open : Extra {
    TransferRecord record;
    std::vector<NodeId> to;  ///< ascending
    ClientId client = 0;
    Notify notify = Notify::none;
    std::uint64_t tag = 0;
    std::size_t missing = 0;  ///< destinations that do not have it yet
  };

  void observe(TransferObserver& observer) { observers_.push_back(&observer); }
  const TransferCounts& counts() const { return counts_; }
  Open& operator[](Number number) { return open_[number]; }
  const Open& operator[](Number number) const { return open_[number]; }
  bool none() const { return free_.size() == open_.size(); }
  std::size_t size() const { return open_.size() - free_.size(); }

  /// A transfer of so many units, generated now.
  Number add(NodeId from, const Transfer& transfer, std::uint64_t units, Cycle now) {
    const Number number = new_number();
    Open& o = open_[number] = {};
    o.record = {.id = ++transfers_,
                .from = from,
                .service = transfer.service,
                .bytes = transfer.bytes,
                .units = units,
                .generated = now,
                .entered = -1};
    o.to = destinations_of(transfer);
    o.client = transfer.client;
    o.notify = transfer.notify;
    o.tag = transfer.tag;
    o.missing = o.to.size();
    counts_.generated += o.missing;
    for (const NodeId to : o.to) tell(o, to, &TransferObserver::on_generate);
    return number;
  }
  /// One that another rank has generated, for these destinations here.
  Number add_foreign(const TransferRecord& record, std::vector<NodeId> to, std::uint64_t word) {
    const Number number = new_number();
    Open& o = open_[number] = {};
    o.record = record;
    o.to = std::move(to);
    o.tag = word;
    o.missing = o.to.size();
    return number;
  }
  /// Its first unit leaves in cycle `at`.
  void enter(Open& open, Cycle at) {
    open.record.entered = at;
    for (const NodeId to : open.to) tell(open, to, &TransferObserver::on_enter);
  }
  void arrive(Open& open, NodeId to, Cycle now) {
    ++counts_.delivered;
    --open.missing;
    tell(open, to, &TransferObserver::on_arrive, now);
  }
  /// It will not arrive at a destination.
  void lose(Open& open, NodeId to, Cycle now) {
    ++counts_.lost;
    --open.missing;
    tell(open, to, &TransferObserver::on_lose, now);
  }
  /// Taken back before it has entered.
  void withdraw(Open& open) {
    counts_.withdrawn += open.missing;
    for (const NodeId to : open.to) tell(open, to, &TransferObserver::on_withdraw);
  }
  /// Its number may be used again.
  void release(Number number) { free_.push_back(number); }

  /// What the transfers say against the counts; empty when they agree.
  std::string miscounted() const {
    std::uint64_t missing = 0;
    std::vector<bool> is_free(open_.size(), false);
    for (const Number n : free_) is_free[n] = true;
    for (Number n = 0; n < open_.size(); ++n) missing += is_free[n] ? 0 : open_[n].missing;
    if (missing == counts_.open()) return {};
    return fmt::format("the accounting says that {} deliveries are to come, there are {}", counts_.open(), missing);
  }

 private:
  Number new_number() {
    if (free_.empty()) {
      free_.push_back(static_cast<Number>(open_.size()));
      open_.emplace_back();
    }
    const Number number = free_.back();
    free_.pop_back();
    return number;
  }
  template <class Event, class... At>
  void tell(Open& open, NodeId to, Event event, At... at) {
    open.record.to = to;
    for (TransferObserver* o : observers_) (o->*event)(open.record, at...);
  }

  std::vector<TransferObserver*> observers_;
  TransferCounts counts_;
  std::deque<Open> open_;  // a client that is told of one may send another: references stay
  std::vector<Number> free_;
  std::uint64_t transfers_ = 0;  // so far
};

}  // namespace weft
