#pragma once
// Endpoints and accounting of a FiC network whose circuits its management processor puts in place: the fabric that runs
// see.
//
// Services are not told apart: circuits have no priorities, and keep their order. A transfer takes the circuit that
// leads from its node to its destination, or to its group, in the phase that is in force (before the first one: in
// that). A destination without a circuit is an error. A transfer of B bytes is ceil(8 B / word) words, at least one; a
// multicast is sent once.
//
// Timing. A transfer waits for the earlier ones of its circuit, then for its slot; until circuits are in place it waits
// in the queue. With n words, m slots per frame of S, and a way of T cycles from host to host, one that comes in cycle
// t with nothing before it leaves from the first cycle of its slots t' >= t on, has left in t' + (n - 1) S / m + 1 and
// has arrived T cycles later (m > 1: by its slots, algorithms/slots/circuit_timing.h). A transfer of a node to itself
// stays in its memory: behind the earlier ones, a word per cycle, each there a cycle later **(ours)**.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/tdm_network.h"
#include "kernel/fabric.h"
#include "kernel/open_transfers.h"
#include "kernel/send_queue.h"

namespace weft {

class TdmFabric final : public Fabric, public MessageSupply, public TdmObserver, public Agent {
 public:
  /// `phases` must outlive the fabric. Its network comes with join(), since it asks the fabric for messages.
  TdmFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, std::uint32_t frame,
            const std::vector<PhasePlan>& phases, std::size_t services);
  /// Before time begins; the network has this fabric as the supply of its circuits.
  void join(TdmNetwork& network);

  std::uint32_t nodes() const override { return nodes_; }
  Capabilities of(ServiceId) const override {
    return {
        .ordered = true, .multicast = true, .dynamic = false, .unit = static_cast<std::uint64_t>(word_bits_ + 7) / 8};
  }
  ClientId attach(Client& client) override { return sends_.attach(client); }
  void send(NodeId from, const Transfer& transfer) override;
  /// Of the queue of sends: into the queue of its circuit, now.
  void enter(NodeId from, const Transfer& transfer);

  ClockDomain& domain() override { return domain_; }
  Duration tick() const override { return domain_.period(); }
  void observe(TransferObserver& observer) override { open_.observe(observer); }
  const TransferCounts& counts() const override { return open_.counts(); }
  std::string miscounted() const override { return open_.miscounted(); }
  void withdraw() override;
  bool when_ready(std::function<void(Cycle)> ready) override;
  std::uint64_t progress() const override;
  /// What is on its way is progress, so this is only how often somebody looks while nodes compute.
  Cycle watchdog_interval() const override { return std::max<Cycle>(2 * frame_ + 2, Cycle{1} << 16); }
  Cycle resting_time() const override { return 1; }
  std::string describe_stall() const override;
  void check_conservation(Cycle now) override;

  std::uint64_t words() const { return words_; }          ///< that transfers were cut into
  Cycle ready_at() const { return ready_at_; }            ///< circuits of the first phase are in place; -1: not yet
  Cycle last_delivery() const { return last_delivery_; }  ///< -1: none yet

  std::optional<MessageOffer> next(CircuitId circuit, Cycle free_at) override;
  bool finished(CircuitId) const override { return false; }
  void on_phase(std::size_t phase, Cycle data_start) override;
  void on_inject(NodeId source, const Train& train) override;
  void on_deliver(const DeliveryEvent& event) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  using Transfers = OpenTransfers<>;
  using Number = Transfers::Number;
  using Open = Transfers::Open;
  struct Circuit {
    const CircuitPlan* plan = nullptr;
    std::deque<Number> queue;       // that wait for the one before
    std::optional<Number> leaving;  // that its host has taken
  };
  /// Circuits of a phase by their ends.
  struct Circuits {
    std::map<std::pair<NodeId, NodeId>, CircuitId> to_one;
    std::map<std::pair<NodeId, std::vector<NodeId>>, CircuitId> to_several;  // destinations ascending
  };

  /// Null: there is none.
  const CircuitId* circuit_of(NodeId from, const Transfer& transfer) const;
  void arrive(Number number, NodeId to, Cycle now);
  bool moving() const { return ready_at_ < 0 || network_->messages().outstanding() > 0 || to_itself_ > 0; }

  ClockDomain& domain_;
  const std::uint32_t nodes_;
  const std::int64_t word_bits_;
  const Cycle frame_;
  const std::size_t services_;
  TdmNetwork* network_ = nullptr;
  SendQueue<TdmFabric> sends_;
  std::function<void(Cycle)> ready_;
  std::vector<Circuits> by_ends_;  // per phase
  std::vector<Circuit> circuits_;
  std::vector<Cycle> memory_free_;  // per node: of transfers to itself
  Transfers open_;
  std::size_t phase_ = 0;
  std::uint64_t to_itself_ = 0;  // under way within a node
  std::uint64_t words_ = 0;
  Cycle ready_at_ = -1;
  Cycle last_delivery_ = -1;
  Cycle rests_since_ = 0;  // nothing has moved since; meaningful when nothing does
};

}  // namespace weft
