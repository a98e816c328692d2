#include "network/topology/tree.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "network/topology/grid.h"

namespace weft {

Graph build_tree(const TopologyConfig& config) {
  const std::uint32_t k = config.arity;
  const std::uint32_t n = config.levels;
  const std::string name = fmt::format("{}-ary {}-tree", k, n);
  if (k == 0 || n == 0) throw InputError(config.where, fmt::format("{}: arity and levels are at least 1", name));
  if (k > 1024 || n > kMostSwitches) {
    throw InputError(config.where,
                     fmt::format("{}: the arity is at most 1024, the levels at most {}", name, kMostSwitches));
  }
  std::uint64_t width = 1;  // switches per level
  for (std::uint32_t l = 1; l < n && width <= kMostSwitches; ++l) width *= k;
  if (width * n > kMostSwitches) {
    throw InputError(config.where, fmt::format("{} has more than {} switches", name, kMostSwitches));
  }
  Graph graph(name);
  graph.set_tree({k, n});
  for (std::uint64_t s = 0; s < width * n; ++s) graph.add_switch(static_cast<PortId>(2 * k));
  for (SwitchId w = 0; w < width; ++w) {
    for (std::uint32_t p = 0; p < k; ++p) graph.attach_node({w, static_cast<PortId>(p)});
  }
  std::uint32_t weight = 1;  // k^l
  for (std::uint32_t l = 0; l + 1 < n; ++l, weight *= k) {
    for (std::uint32_t w = 0; w < width; ++w) {
      const std::uint32_t digit = w / weight % k;
      for (std::uint32_t u = 0; u < k; ++u) {
        const std::uint32_t above = w - digit * weight + u * weight;
        const auto below_sw = static_cast<SwitchId>(l * width + w);
        const auto above_sw = static_cast<SwitchId>((l + 1) * width + above);
        graph.connect({below_sw, static_cast<PortId>(k + u)}, {above_sw, static_cast<PortId>(digit)});
      }
    }
  }
  return graph;
}

}  // namespace weft
