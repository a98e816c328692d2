#include "network/topology/tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {
namespace {

// Width of a level times `first`.
std::uint64_t tree_switches(const TopologyConfig& config, std::uint64_t first) {
  const std::uint32_t levels = config.number("levels");
  // Beyond 40 levels a factor of 2 or more is uncountable, and one of 1 changes nothing.
  const std::vector<std::uint32_t> factors(levels == 0 ? 0 : std::min(levels - 1, 40U), config.number("arity"));
  return limited_product(factors, first);
}

TopologySize tree_size(const TopologyConfig& config) {
  const std::uint32_t arity = config.number("arity");
  return {tree_switches(config, config.number("levels")), 2 * std::uint64_t{arity}, tree_switches(config, arity)};
}

std::string tree_port_name(const Graph& graph, SwitchId sw, PortId port) {
  if (graph.node_at(sw, port) != kNoId) return {};
  return port < graph.tree().arity ? "down" : "up";
}

Graph build_tree(const TopologyConfig& config) {
  const std::uint32_t k = config.number("arity");
  const std::uint32_t n = config.number("levels");
  const std::string name = fmt::format("{}-ary {}-tree", k, n);
  if (k == 0 || n == 0) throw InputError(config.where, fmt::format("{}: arity and levels are at least 1", name));
  const auto width = static_cast<std::uint32_t>(tree_switches(config, 1));  // switches per level
  Graph graph(name);
  graph.set_tree({k, n});
  for (SwitchId s = 0; s < width * n; ++s) graph.add_switch(static_cast<PortId>(2 * k));
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

}  // namespace

const Topology& tree_topology() {
  static const Topology record{
      .name = "tree",
      .meaning = "k-ary n-tree, a fat tree of switches of 2k ports",
      .keys = {{.name = "arity", .meaning = "k of the k-ary n-tree", .least = 2, .most = 1024},
               {.name = "levels", .meaning = "n of the k-ary n-tree, its number of switch levels", .most = 16}},
      .size = tree_size,
      .build = build_tree,
      .port_name = tree_port_name,
      .form = NetworkForm::tree,
      .packet_routing = "valiant",
      .deadlock_advice = "use algorithm: valiant or nearest_common_ancestor",
  };
  return record;
}

}  // namespace weft
