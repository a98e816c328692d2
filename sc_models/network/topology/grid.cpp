#include "network/topology/grid.h"

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
  Graph graph(name +
              (config.nodes_per_switch > 1 ? fmt::format(", {} nodes per switch", config.nodes_per_switch) : "") +
              (config.trunk > 1 ? fmt::format(", trunks of {}", config.trunk) : ""));
  graph.set_grid({config.dims, torus, config.nodes_per_switch, config.trunk});
  const std::uint64_t ports = config.nodes_per_switch + 2 * config.dims.size() * config.trunk;
  if (ports > kMostPorts) {
    throw InputError(config.where, fmt::format("{}: {} ports per switch, at most {}", name, ports, kMostPorts));
  }
  for (std::uint64_t s = 0; s < switches; ++s) {
    const SwitchId sw = graph.add_switch(static_cast<PortId>(ports));
    for (std::uint32_t p = 0; p < config.nodes_per_switch; ++p) graph.attach_node({sw, static_cast<PortId>(p)});
  }
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < config.dims.size(); ++d) {
    const std::uint32_t k = config.dims[d];
    const PortId plus = graph.grid().plus(d);
    const PortId minus = graph.grid().minus(d);
    for (SwitchId s = 0; s < switches; ++s) {
      const bool last = s / stride % k == k - 1;
      if (last && (!torus || k == 1)) continue;
      const SwitchId next = last ? s - (k - 1) * stride : s + stride;
      for (std::uint32_t t = 0; t < config.trunk; ++t) {
        graph.connect({s, static_cast<PortId>(plus + t)}, {next, static_cast<PortId>(minus + t)});
      }
    }
    stride *= k;
  }
  return graph;
}

}  // namespace weft
