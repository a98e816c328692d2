#include "topology/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostics.h"

namespace weft {

Graph build_grid(const TopologyConfig& config, bool torus) {
  const std::string name = fmt::format("{} {}", torus ? "torus" : "mesh", fmt::join(config.dims, "x"));
  if (config.dims.empty()) throw InputError(config.where, "a mesh or torus needs at least one dimension");
  constexpr std::size_t kMostDimensions = 32;
  if (config.dims.size() > kMostDimensions) {
    throw InputError(config.where, fmt::format("{} has more than {} dimensions", name, kMostDimensions));
  }
  std::uint64_t switches = 1;
  for (const std::uint32_t k : config.dims) {
    if (k == 0) throw InputError(config.where, fmt::format("{}: a dimension has at least 1 switch", name));
    switches *= k;
    if (switches > kMostSwitches) {
      throw InputError(config.where, fmt::format("{} has more than {} switches", name, kMostSwitches));
    }
  }
  Graph graph(name);
  graph.set_grid({config.dims, torus});
  const auto ports = static_cast<PortId>(1 + 2 * config.dims.size());
  for (std::uint64_t s = 0; s < switches; ++s) graph.attach_node({graph.add_switch(ports), 0});
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < config.dims.size(); ++d) {
    const std::uint32_t k = config.dims[d];
    const auto plus = static_cast<PortId>(1 + 2 * d);
    const auto minus = static_cast<PortId>(2 + 2 * d);
    for (SwitchId s = 0; s < switches; ++s) {
      const bool last = s / stride % k == k - 1;
      if (last && (!torus || k == 1)) continue;
      const SwitchId next = last ? s - (k - 1) * stride : s + stride;
      graph.connect({s, plus}, {next, minus});
    }
    stride *= k;
  }
  return graph;
}

}  // namespace weft
