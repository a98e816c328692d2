#include "network/link_adapters.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

void check_adapters(const std::vector<AdapterConfig>& adapters, const Graph& graph, Diagnostics& diagnostics) {
  for (const AdapterConfig& a : adapters) {
    const std::string problem = range_problem(a.place, graph);
    if (!problem.empty()) diagnostics.error(a.place.where, fmt::format("{}.at: {}", a.name, problem));
  }
}

std::vector<Cycle> adapter_delays(const std::vector<AdapterConfig>& adapters, const Graph& graph) {
  std::vector<Cycle> out;
  if (!adapters.empty()) out.resize(graph.link_count());
  for (const AdapterConfig& a : adapters) {
    for (const LinkId cable : cables_of(a.place, graph)) {
      out[cable] += a.delay;
      out[graph.other_way(cable)] += a.delay;
    }
  }
  return out;
}

Cycle longest_adapter(const std::vector<Cycle>& delays) {
  return delays.empty() ? 0 : *std::max_element(delays.begin(), delays.end());
}

}  // namespace weft
