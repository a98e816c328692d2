#include "network/topology/grid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/diagnostics.h"

namespace weft {

std::vector<TopologyKey> grid_keys(std::uint32_t least) {
  return {{.name = "dims",
           .meaning = "number of switches in each dimension, x first; at least 2 in a torus",
           .form = TopologyKey::Form::numbers,
           .least = least},
          {.name = "nodes_per_switch",
           .meaning = "nodes on each switch; node n is on switch n / nodes_per_switch",
           .most = 1024,
           .fallback = 1,
           .packets_only = true},
          {.name = "trunk",
           .meaning = "parallel links between neighbours; each carries messages or circuits of its own",
           .most = 256,
           .fallback = 1},
          {.name = "node_links",
           .meaning = "parallel links between a node and its switch, a bundle",
           .most = 256,
           .fallback = 1,
           .circuits_only = true}};
}

TopologySize grid_size(const TopologyConfig& config) {
  const std::vector<std::uint32_t>& dims = config.numbers("dims");
  const std::uint32_t nodes = config.number("nodes_per_switch");
  return {limited_product(dims),
          std::uint64_t{nodes} * config.number("node_links") + 2 * std::uint64_t{config.number("trunk")} * dims.size(),
          limited_product(dims, nodes)};
}

Graph build_grid(const TopologyConfig& config, bool torus) {
  const std::vector<std::uint32_t>& dims = config.numbers("dims");
  const std::uint32_t nodes = config.number("nodes_per_switch");
  const std::uint32_t trunk = config.number("trunk");
  const std::uint32_t node_links = config.number("node_links");
  const std::string name = fmt::format("{} {}", config.kind->name, fmt::join(dims, "x"));
  if (dims.empty()) throw InputError(config.where, name + " needs at least one dimension");
  for (const std::uint32_t k : dims) {
    if (k == 0) throw InputError(config.where, fmt::format("{}: a dimension has at least 1 switch", name));
  }
  Graph graph(name + (nodes > 1 ? fmt::format(", {} nodes per switch", nodes) : "") +
                  (trunk > 1 ? fmt::format(", trunks of {}", trunk) : "") +
                  (node_links > 1 ? fmt::format(", {} links per node", node_links) : ""),
              node_links);
  graph.set_grid({dims, torus, nodes, trunk, node_links});
  const TopologySize size = grid_size(config);
  const auto switches = static_cast<SwitchId>(size.switches);
  for (SwitchId s = 0; s < switches; ++s) {
    const SwitchId sw = graph.add_switch(static_cast<PortId>(size.ports_per_switch));
    for (std::uint32_t p = 0; p < nodes; ++p) graph.attach_node({sw, static_cast<PortId>(p * node_links)});
  }
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::uint32_t k = dims[d];
    const PortId plus = graph.grid().plus(d);
    const PortId minus = graph.grid().minus(d);
    for (SwitchId s = 0; s < switches; ++s) {
      const bool last = s / stride % k == k - 1;
      if (last && (!torus || k == 1)) continue;
      const SwitchId next = last ? s - (k - 1) * stride : s + stride;
      for (std::uint32_t t = 0; t < trunk; ++t) {
        graph.connect({s, static_cast<PortId>(plus + t)}, {next, static_cast<PortId>(minus + t)});
      }
    }
    stride *= k;
  }
  return graph;
}

std::string grid_port_name(const Graph& graph, SwitchId, PortId port) {
  const GridShape& grid = graph.grid();
  if (port < grid.node_ports()) return {};
  const std::uint32_t trunk = (port - grid.node_ports()) / grid.trunk;
  return (trunk % 2 == 0 ? "+" : "-") + dimension_name(trunk / 2);
}

std::string dimension_name(std::size_t dimension) {
  constexpr std::string_view kLetters = "xyzw";
  return dimension < kLetters.size() ? std::string(1, kLetters[dimension]) : fmt::format("d{}", dimension);
}

}  // namespace weft
