#pragma once
// From a checked configuration to everything that is fixed before time begins: network, routes, flows, slots, tables.

#include <memory>
#include <vector>

#include "algorithms/collectives/lowering.h"
#include "algorithms/slots/circuit_plan.h"
#include "cosim/tdm/tdm_rtl.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/plan/program_phases.h"
#include "network/graph.h"
#include "network/places.h"
#include "network/routing/routing.h"

namespace weft {

class TdmPlatform {
 public:
  /// Throws InputError for everything that only the network can tell: unknown nodes, switches, links and patterns at
  /// once, then links without a free slot, RTL that is not there or too small. Both must outlive the platform.
  explicit TdmPlatform(const TdmConfig& config, const TdmRtlBlocks& blocks = builtin_blocks<TdmRtlBlocks>());

  const TdmConfig& config() const { return config_; }
  const TdmRtlBlocks& blocks() const { return blocks_; }
  const Graph& graph() const { return graph_; }
  const CircuitRouting& routing() const { return *routing_; }
  /// With setup.mode in_network a single one that knows flows and circuits, but no slots.
  const std::vector<PhasePlan>& phases() const { return phases_; }
  /// Messages of programs or traffic, circuit by circuit, of a multicast with its first destination; empty without
  /// these.
  const std::vector<collectives::PairMessages>& pair_messages() const { return pair_messages_; }
  /// Of programs with collectives over circuits: the order of the phases, none for circuits that come and go, and what
  /// is told of them, phases() apart; else empty.
  const ProgramPhases& program_phases() const { return program_phases_; }
  /// Of collectives that become messages, with the torus of the network.
  collectives::CollectiveAlgorithms algorithms() const;
  TdmTiming timing() const;
  /// Whether each switch is in one of the ranges, those of the configuration; all are when `ranges` is empty.
  std::vector<bool> select(const std::vector<SwitchRange>& ranges) const;

 private:
  /// Pairs of each flow of a phase.
  std::vector<NodePairs> pairs_of(const PhaseConfig& phase, std::size_t index) const;
  void find_pairs(Diagnostics& diagnostics);
  /// Throws InputError when the routes would take more time, or the plan more memory, than may be used.
  void check_needs() const;
  std::vector<Flow> flows_of(const PhaseConfig& phase, std::size_t index, Diagnostics& diagnostics) const;
  std::vector<Flow> demanded_flows();
  void plan_program_circuits(const AllocationOptions& options);
  PhasePlan plan_of(const PhaseConfig& phase, std::vector<Flow> flows, const AllocationOptions& options,
                    CircuitId first) const;

  const TdmConfig& config_;
  const TdmRtlBlocks& blocks_;
  Graph graph_;
  std::unique_ptr<CircuitRouting> routing_;
  std::vector<collectives::PairMessages> pair_messages_;
  std::vector<PhasePlan> phases_;
  ProgramPhases program_phases_;
};

}  // namespace weft
