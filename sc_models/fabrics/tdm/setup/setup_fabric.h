#pragma once
// Endpoints and accounting of a FiC network in which circuits come and go (setup.mode in_network): messages of nodes,
// each of which asks for a circuit if there is none.
//
// See circuit_fabric.h. The plan has a flow for each pair of nodes, or node and group, that may exchange messages; a
// message is that of its flow (setup/flow_source.h), which asks for a circuit when it has something to send and gives
// it back when nothing waits. A flow that is given up after as many refusals as the policy allows loses what has not
// arrived, and all it is handed later; the client is told.
//
// Timing. As of flows: a message that comes in cycle t is known to its source at the end of that cycle, when the
// request leaves; docs/fic_setup.md has the cycle of the first word. With its circuit in place the first word leaves in
// cycle t + 1 at the earliest. A transfer has entered in the first cycle in which it might leave on the circuit that
// brought its first word, so its set-up is queueing. It has left when all its words have and their circuit is accepted,
// so that no refusal can have them sent again; at the latest when it has arrived everywhere. A failure may: nobody
// foresees it, and a host keeps a copy of what may be asked for again **(ours)**.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "fabrics/tdm/circuit_fabric.h"
#include "fabrics/tdm/setup/setup_network.h"

namespace weft {

class SetupFabric final : public CircuitFabric, public FlowListener {
 public:
  /// `plan` has submitted flows; it must outlive the fabric, as must the network, which comes with join().
  SetupFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, const SetupPlan& plan,
              std::size_t services);
  /// Before time begins.
  void join(SetupNetwork& network);

  void withdraw() override;
  std::uint64_t progress() const override;
  Cycle watchdog_interval() const override { return patience_; }
  /// The release of every circuit, one after the other at worst.
  Cycle resting_time() const override;
  std::string describe_stall() const override;
  void check_conservation(Cycle now) override;
  bool excused() const override { return network_->any_down(); }
  bool faults_over() const override { return !network_->repairs_after(now()); }

  void left(std::uint32_t flow, std::uint64_t message) override;
  void arrived(const FlowArrival& a) override;
  void given_up(std::uint32_t flow) override;

 private:
  struct FlowState {
    std::deque<Number> open;   // transfers that have not arrived everywhere, in order
    std::uint64_t oldest = 0;  // message of the first
    bool given_up = false;
  };
  const CircuitEnds& circuits(const Transfer&) const override { return ends_; }
  void queue(CircuitId circuit, Number number) override;
  void lose_all(std::uint32_t flow, Number number, std::uint64_t message);
  FlowSource& source(std::uint32_t flow) const { return network_->host(plan_.flows[flow].source).source(flow); }

  const SetupPlan& plan_;
  SetupNetwork* network_ = nullptr;
  CircuitEnds ends_;
  std::vector<FlowState> flows_;
  Cycle step_ = 1;      // of a message of the protocol at a switch, at worst
  Cycle patience_ = 1;  // more than anything takes between two events
};

}  // namespace weft
