#pragma once
// Endpoints and accounting of a FiC network whose circuits its management processor puts in place: the fabric that runs
// see.
//
// See circuit_fabric.h. A transfer takes the circuit of the phase that is in force (before the first one: of that).
//
// Steps. Where the order of the phases follows the clients (`order`), each place in it is a step, and a transfer that
// names its step takes the circuit of that step's phase and waits for it. A step is over when all nodes have told that
// they send nothing more in it (reach()) and everything sent has arrived; then the tables change (controller.h).
//
// Timing. A transfer waits for the earlier ones of its circuit, then for its slot; until circuits are in place it waits
// in the queue. With n words, m slots per frame of S, and a way of T cycles from host to host, one that comes in cycle
// t with nothing before it leaves from the first cycle of its slots t' >= t on, has left in t' + (n - 1) S / m + 1 and
// has arrived T cycles later (m > 1: by its slots, algorithms/slots/circuit_timing.h).
//
// Of several ranks each has the endpoints of its nodes. What it knows of a transfer travels with the messages
// (remote_messages.h); where only other ranks have destinations, it is over here when its last word has left.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/circuit_fabric.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/remote_messages.h"
#include "fabrics/tdm/tdm_network.h"

namespace weft {

class TdmFabric final : public CircuitFabric, public MessageSupply, public TdmObserver, public CargoOwner {
 public:
  /// `phases` must outlive the fabric. Its network comes with join(), since it asks the fabric for messages. `order`:
  /// the phase of each step; empty: phases do not follow the clients.
  TdmFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, std::uint32_t frame,
            const std::vector<PhasePlan>& phases, std::size_t services, std::vector<std::uint32_t> order = {});
  /// Before time begins; the network has this fabric as the supply of its circuits.
  void join(TdmNetwork& network);

  void withdraw() override;
  void reach(NodeId node, std::uint32_t step) override;
  bool when_ready(std::function<void(Cycle)> ready) override;
  std::uint64_t progress() const override;
  /// What is on its way is progress, so this is only how often somebody looks while nodes compute.
  Cycle watchdog_interval() const override { return std::max<Cycle>(2 * frame_ + 2, Cycle{1} << 16); }
  Cycle resting_time() const override { return 1; }
  std::string describe_stall() const override;
  void check_conservation(Cycle now) override;
  std::uint64_t unclosed() const override { return counts().open(); }

  Cycle ready_at() const { return ready_at_; }            ///< circuits of the first phase are in place; -1: not yet
  Cycle last_delivery() const { return last_delivery_; }  ///< -1: none yet

  std::optional<MessageOffer> next(CircuitId circuit, Cycle free_at) override;
  bool finished(CircuitId circuit) const override;
  void on_phase(std::size_t phase, Cycle data_start) override;
  void on_inject(NodeId source, std::uint32_t link, const Train& train) override;
  void on_deliver(const DeliveryEvent& event) override;
  TdmCargo cargo(std::uint64_t user) const override;
  std::uint64_t take_cargo(const TdmMessage& message, const TdmCargo& cargo) override;

 private:
  struct Circuit {
    const CircuitPlan* plan = nullptr;
    std::deque<Number> queue;       // that wait for the one before
    std::optional<Number> leaving;  // that its host has taken
  };
  const CircuitEnds& circuits(const Transfer& transfer) const override;
  void queue(CircuitId circuit, Number number) override;
  bool moving() const {
    return ready_at_ < 0 || network_->messages().outstanding() > 0 || moving_within_nodes() ||
           (!order_.empty() && network_->controller().changing());
  }
  std::string describe_step() const;

  const Cycle frame_;
  TdmNetwork* network_ = nullptr;
  std::function<void(Cycle)> ready_;
  std::vector<CircuitEnds> by_ends_;  // per phase
  std::vector<Circuit> circuits_;
  std::size_t phase_ = 0;
  const std::vector<std::uint32_t> order_;             // phase of each step
  std::uint32_t step_ = 0;                             // the present one; before the first one: that
  std::vector<std::uint32_t> reached_;                 // step that each node has come to
  std::vector<std::vector<CircuitId>> circuits_from_;  // by node, of all phases
  Cycle ready_at_ = -1;
  Cycle last_delivery_ = -1;
};

}  // namespace weft
