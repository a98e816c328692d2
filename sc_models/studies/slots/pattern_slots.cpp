#include "studies/slots/pattern_slots.h"

#include "network/patterns.h"

namespace weft {

std::vector<std::pair<NodeId, NodeId>> draw_pattern(const std::string& name, const Graph& graph, std::uint64_t seed,
                                                    const Location& where) {
  RandomStream random(seed, "pattern/0");
  return make_pattern(name, graph, random, where);
}

std::vector<Flow> pattern_flows(const Graph& graph, const CircuitRouting& routing, const std::string& name,
                                std::uint64_t seed, const Location& where) {
  std::vector<Flow> flows;
  for (const auto& [from, to] : draw_pattern(name, graph, seed, where)) {
    Flow flow{std::to_string(flows.size()), "", where, 1, {}};
    flow.trees.push_back(make_tree(graph, routing, from, {to}));
    flows.push_back(std::move(flow));
  }
  return flows;
}

std::vector<AllocatorResult> allocate_by_each(const Graph& graph, const std::vector<Flow>& flows,
                                              const std::vector<const Allocator*>& allocators,
                                              std::uint64_t search_iterations, std::uint64_t seed) {
  std::vector<AllocatorResult> out;
  for (const Allocator* allocator : allocators) {
    AllocationOptions options;
    options.allocator = allocator;
    options.search_iterations = search_iterations;
    options.seed = seed;
    out.push_back({allocator, allocate_unbounded(graph, flows, options)});
    options.slots = out.back().allocation.slots_used;
    if (!flows.empty()) check_allocation(graph, flows, options, out.back().allocation);
  }
  return out;
}

std::vector<std::uint32_t> minimum_slots_by_seed(const Graph& graph, const CircuitRouting& routing,
                                                 const std::string& name, std::uint64_t first_seed, std::uint32_t seeds,
                                                 const Location& where) {
  PairLoads loads(graph, routing);
  std::vector<std::uint32_t> out;
  out.reserve(seeds);
  for (std::uint32_t i = 0; i < seeds; ++i) {
    out.push_back(loads.largest(draw_pattern(name, graph, first_seed + i, where)));
  }
  return out;
}

}  // namespace weft
