#pragma once
// Colours of the circuits that one round of a collective needs, and the number of phases that the round is cut into
// (program_phases.h).

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/plan/alltoall_circuits.h"
#include "network/graph.h"
#include "network/routing/routing.h"

namespace weft {

/// Ends of a circuit: its source and its destinations, ascending.
using Ends = std::pair<NodeId, std::vector<NodeId>>;

/// "0-5", "0-15_nodes"
std::string flow_name(const Ends& ends);

/// Circuits with colours: those of one colour share no link.
struct ColouredCircuits {
  std::vector<Flow> flows;  ///< a circuit each, of one slot
  std::vector<std::uint32_t> colour;
  std::vector<LaneLinks> links;  ///< in bundles; empty: the network has none, or they take the first link
  std::uint32_t colours = 0;
  std::uint32_t load = 0;  ///< the largest of a link
  bool scheduled = false;  ///< by the systematic all-to-all schedule
  LinkChannels channels;   ///< of that schedule
  Cycle longest = 0;       ///< way of a word, with the same slot on every hop
};

/// References must outlive the object.
class CircuitColouring {
 public:
  CircuitColouring(const TdmConfig& config, const Graph& graph, const CircuitRouting& routing,
                   const AllocationOptions& options, const TdmTiming& timing)
      : config_(config), graph_(graph), routing_(routing), options_(options), timing_(timing) {}

  /// On the routes of the network, or on others of least length if that takes fewer slots.
  ColouredCircuits colour(const std::vector<Ends>& ends, const Location& where) const;
  /// Slots per frame if all are in place at the same time.
  std::uint32_t slots_needed(const ColouredCircuits& c) const { return options_.slot_update ? c.load : c.colours; }
  std::uint32_t least_parts(const ColouredCircuits& c) const;
  /// With the shortest time for messages of so many bytes.
  std::uint32_t best_parts(const ColouredCircuits& c, std::uint64_t bytes) const;

 private:
  Cycle way(const CircuitTree& tree, std::uint32_t ejection) const;
  /// Colours of the circuits of all pairs by a schedule.
  void take(const SpreadSchedule& schedule, const std::vector<Ends>& ends, ColouredCircuits& c) const;
  /// Colours of its flows, with the allocator.
  void allocate(ColouredCircuits& c) const;
  /// The same circuits on other routes; nothing if that is not worth while.
  std::optional<ColouredCircuits> on_other_routes(const ColouredCircuits& c) const;

  const TdmConfig& config_;
  const Graph& graph_;
  const CircuitRouting& routing_;
  const AllocationOptions& options_;
  const TdmTiming& timing_;
};

}  // namespace weft
