#pragma once
// Slots that a communication pattern needs on a network with one circuit of one slot per pair: the minimum N, what each
// allocator makes of it, and for random patterns how N spreads over seeds. Source: FiC paper, section III.E.
//
// A seed draws the same pairs here as in a configuration with that seed and the pattern in its first phase.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/slots/allocation.h"
#include "algorithms/slots/flow.h"

namespace weft {

/// As make_pattern, drawn from the stream of a run's first phase.
std::vector<std::pair<NodeId, NodeId>> draw_pattern(const std::string& name, const Graph& graph, std::uint64_t seed,
                                                    const Location& where);

/// One flow per pair, named by its position.
std::vector<Flow> pattern_flows(const Graph& graph, const CircuitRouting& routing, const std::string& name,
                                std::uint64_t seed, const Location& where);

struct AllocatorResult {
  const Allocator* allocator = &kFirstFit;
  Allocation allocation;
};

/// As few slots as each allocator finds, the same slot on every hop; each result has passed check_allocation.
std::vector<AllocatorResult> allocate_by_each(const Graph& graph, const std::vector<Flow>& flows,
                                              const std::vector<const Allocator*>& allocators,
                                              std::uint64_t search_iterations, std::uint64_t seed);

/// N of the pattern for `seeds` seeds from `first_seed` on.
std::vector<std::uint32_t> minimum_slots_by_seed(const Graph& graph, const CircuitRouting& routing,
                                                 const std::string& name, std::uint64_t first_seed, std::uint32_t seeds,
                                                 const Location& where);

}  // namespace weft
