#pragma once
// Endpoints and accounting of a FiC network, however its circuits are set up: what TdmFabric (circuits that are
// planned) and SetupFabric (circuits that come and go) have in common.
//
// Services are not told apart: circuits have no priorities, and keep their order. A transfer takes the circuit that
// leads from its node to its destination, or to its group. A destination without a circuit is an error. A transfer of B
// bytes is ceil(8 B / word) words, at least one; a multicast is sent once. A transfer of a node to itself stays in its
// memory: behind the earlier ones, a word per cycle, each there a cycle later **(ours)**.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "kernel/fabric.h"
#include "kernel/open_transfers.h"
#include "kernel/send_queue.h"

namespace weft {

/// Circuits by their ends: from a node to another or to several.
class CircuitEnds {
 public:
  /// Of several with the same ends the first one counts.
  void add(NodeId source, std::vector<NodeId> destinations, CircuitId circuit);
  std::optional<CircuitId> find(NodeId from, const Transfer& transfer) const;

 private:
  std::map<std::pair<NodeId, NodeId>, CircuitId> to_one_;
  std::map<std::pair<NodeId, std::vector<NodeId>>, CircuitId> to_several_;  // destinations ascending
};

/// The destination, if there is only one.
std::optional<NodeId> only(const Transfer& transfer);

class CircuitFabric : public Fabric, public Agent {
 public:
  std::uint32_t nodes() const final { return nodes_; }
  Capabilities of(ServiceId) const final {
    return {
        .ordered = true, .multicast = true, .dynamic = false, .unit = static_cast<std::uint64_t>(word_bits_ + 7) / 8};
  }
  ClientId attach(Client& client) final { return sends_.attach(client); }
  void send(NodeId from, const Transfer& transfer) final;
  /// Of the queue of sends: to its circuit, now.
  void enter(NodeId from, const Transfer& transfer);

  ClockDomain& domain() final { return domain_; }
  Duration tick() const final { return domain_.period(); }
  void observe(TransferObserver& observer) final { open_.observe(observer); }
  const TransferCounts& counts() const final { return open_.counts(); }
  std::string miscounted() const final { return open_.miscounted(); }

  std::uint64_t words() const { return words_; }  ///< that transfers were cut into

  /// A transfer within a node has arrived.
  void due(Cycle now, std::uint32_t token) final;

 protected:
  struct Sent {
    bool has_left = false;   // its client knows
    std::uint32_t away = 0;  // destinations on other ranks, which tell of its arrival there
    bool foreign = false;    // its client is on another rank, and the tag is what it says there
  };
  using Transfers = OpenTransfers<Sent>;
  using Number = Transfers::Number;
  using Open = Transfers::Open;

  CircuitFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, std::size_t services);

  /// That may carry a transfer.
  virtual const CircuitEnds& circuits(const Transfer& transfer) const = 0;
  /// A transfer for a circuit, now.
  virtual void queue(CircuitId circuit, Number number) = 0;

  /// Its last word has left; the client may act on it from cycle `at` on. Tells nothing twice.
  void tell_left(Open& open, Cycle at);
  /// Frees the number when it has arrived everywhere on this rank.
  void arrive(Number number, NodeId to, Cycle now);
  /// It will not arrive at a destination; the number stays.
  void lose(Open& open, NodeId to, Cycle now, std::string_view cause);
  void take_back(Number number);
  Transfers& transfers() { return open_; }
  const Transfers& transfers() const { return open_; }
  Client& client(ClientId id) const { return sends_.client(id); }
  Cycle now() const { return domain_.now(); }
  bool moving_within_nodes() const { return to_itself_ > 0; }
  Cycle last_arrival() const { return last_arrival_; }  ///< within a node or from another; 0: none yet

 private:
  ClockDomain& domain_;
  const std::uint32_t nodes_;
  const std::int64_t word_bits_;
  const std::size_t services_;
  SendQueue<CircuitFabric> sends_;
  std::vector<Cycle> memory_free_;  // per node: of transfers to itself
  Transfers open_;
  std::uint64_t to_itself_ = 0;  // under way within a node
  std::uint64_t words_ = 0;
  Cycle last_arrival_ = 0;
};

}  // namespace weft
