#include "network/topology/dragonfly.h"

#include <fmt/format.h>

#include <array>

#include "base/diagnostics.h"

namespace weft {
namespace {

struct DragonflyNumbers {
  std::uint32_t g, a, p, h;
  explicit DragonflyNumbers(const TopologyConfig& c)
      : g(c.number("groups")),
        a(c.number("routers_per_group")),
        p(c.number("nodes_per_router")),
        h(c.number("global_links")) {}
};

TopologySize dragonfly_size(const TopologyConfig& config) {
  const auto [g, a, p, h] = DragonflyNumbers(config);
  return {limited_product(std::array{g, a}), std::uint64_t{a} + h + p - std::min(a, 1U),
          limited_product(std::array{g, a, p})};
}

std::string dragonfly_port_name(const Graph& graph, SwitchId sw, PortId port) {
  const SwitchId peer = graph.peer(sw, port).sw;
  if (peer == kNoId) return {};
  const DragonflyShape& shape = graph.dragonfly();
  return shape.group(sw) == shape.group(peer) ? "local" : "global";
}

void check_dragonfly(const Location& where, const DragonflyNumbers& n) {
  const auto fail = [&](const std::string& text) { throw InputError(where, "dragonfly: " + text); };
  if (n.g == 0 || n.a == 0 || n.p == 0) fail("groups, routers per group and nodes per router are at least 1");
  const std::uint64_t global = std::uint64_t{n.a} * n.h;
  if (n.g > global + 1) {
    fail(fmt::format("{} groups need {} global links per group, but {} routers with {} each have {}", n.g, n.g - 1, n.a,
                     n.h, global));
  }
}

Graph build_dragonfly(const TopologyConfig& config) {
  const DragonflyNumbers numbers(config);
  check_dragonfly(config.where, numbers);
  const auto [g, a, p, h] = numbers;
  Graph graph(fmt::format("dragonfly g={} a={} p={} h={}", g, a, p, h));
  graph.set_dragonfly({g, a});
  for (std::uint32_t s = 0; s < g * a; ++s) {
    const SwitchId sw = graph.add_switch(static_cast<PortId>(p + a - 1 + h));
    for (std::uint32_t n = 0; n < p; ++n) graph.attach_node({sw, static_cast<PortId>(n)});
  }
  for (std::uint32_t i = 0; i < g; ++i) {
    for (std::uint32_t r = 0; r < a; ++r) {
      for (std::uint32_t t = r + 1; t < a; ++t) {
        graph.connect({i * a + r, static_cast<PortId>(p + t - 1)}, {i * a + t, static_cast<PortId>(p + r)});
      }
    }
  }
  if (g == 1) return graph;
  const auto global_port = [a = a, p = p, h = h](std::uint32_t group, std::uint32_t j) {
    return PortRef{group * a + j / h, static_cast<PortId>(p + a - 1 + j % h)};
  };
  const std::uint32_t bundles = a * h / (g - 1);  // links between every two groups
  for (std::uint32_t b = 0; b < bundles; ++b) {
    for (std::uint32_t i = 0; i < g; ++i) {
      for (std::uint32_t o = 1; o < g; ++o) {
        const std::uint32_t peer = (i + g - o) % g;
        if (peer < i) continue;  // made from the other side
        graph.connect(global_port(i, b * (g - 1) + o - 1), global_port(peer, b * (g - 1) + (g - o) - 1));
      }
    }
  }
  return graph;
}

}  // namespace

const Topology& dragonfly_topology() {
  static const Topology record{
      .name = "dragonfly",
      .meaning = "groups of switches that are all linked to each other, and links between every two groups",
      .keys = {{.name = "groups", .meaning = "number of groups", .most = 65536},
               {.name = "routers_per_group",
                .meaning = "a, switches in a group, each linked to all others of the group"},
               {.name = "nodes_per_router", .meaning = "p, nodes on each switch"},
               {.name = "global_links", .meaning = "h, links of each switch to other groups"}},
      .size = dragonfly_size,
      .build = build_dragonfly,
      .port_name = dragonfly_port_name,
      .form = NetworkForm::dragonfly,
      .packet_routing = "minimal_vl_per_hop",
      .deadlock_advice = "use algorithm: minimal_vl_per_hop or up_down",
  };
  return record;
}

}  // namespace weft
