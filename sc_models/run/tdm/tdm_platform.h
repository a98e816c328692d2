#pragma once
// From a checked configuration to everything that is fixed before time begins: network, routes, flows, slots, tables.

#include <memory>
#include <vector>

#include "algorithms/collectives/lowering.h"
#include "algorithms/slots/circuit_plan.h"
#include "cosim/tdm/tdm_rtl.h"
#include "fabrics/tdm/keys/tdm_config.h"
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
  /// Pairs of nodes that programs or traffic send messages between, circuit by circuit; empty without these.
  const std::vector<collectives::PairMessages>& pair_messages() const { return pair_messages_; }
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
  PhasePlan plan_of(const PhaseConfig& phase, std::vector<Flow> flows, const AllocationOptions& options,
                    CircuitId first) const;

  const TdmConfig& config_;
  const TdmRtlBlocks& blocks_;
  Graph graph_;
  std::unique_ptr<CircuitRouting> routing_;
  std::vector<collectives::PairMessages> pair_messages_;
  std::vector<PhasePlan> phases_;
};

}  // namespace weft
