#include "network/topology/dragonfly.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "network/topology/grid.h"

namespace weft {
namespace {

void check(const TopologyConfig& c) {
  const auto fail = [&](const std::string& text) { throw InputError(c.where, "dragonfly: " + text); };
  if (c.groups == 0 || c.routers_per_group == 0 || c.nodes_per_router == 0) {
    fail("groups, routers per group and nodes per router are at least 1");
  }
  const std::uint64_t global = std::uint64_t{c.routers_per_group} * c.global_links;
  if (c.groups > global + 1) {
    fail(fmt::format("{} groups need {} global links per group, but {} routers with {} each have {}", c.groups,
                     c.groups - 1, c.routers_per_group, c.global_links, global));
  }
  if (std::uint64_t{c.groups} * c.routers_per_group > kMostSwitches) {
    fail(fmt::format("more than {} switches", kMostSwitches));
  }
  constexpr std::uint64_t kMostPorts = 8192;
  if (std::uint64_t{c.nodes_per_router} + c.routers_per_group - 1 + c.global_links > kMostPorts) {
    fail(fmt::format("more than {} ports per switch", kMostPorts));
  }
}

}  // namespace

Graph build_dragonfly(const TopologyConfig& config) {
  check(config);
  const std::uint32_t g = config.groups;
  const std::uint32_t a = config.routers_per_group;
  const std::uint32_t p = config.nodes_per_router;
  const std::uint32_t h = config.global_links;
  Graph graph(fmt::format("dragonfly g={} a={} p={} h={}", g, a, p, h));
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
  const auto global_port = [&](std::uint32_t group, std::uint32_t j) {
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

}  // namespace weft
