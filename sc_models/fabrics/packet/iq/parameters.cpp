#include "fabrics/packet/iq/parameters.h"
#include "network/routing/deadlock_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

Cycle zero_load_latency(const IqParameters& p, std::uint32_t hops, std::uint32_t flits) {
  const Cycle router = p.buffer_write + p.routing + p.vc_allocation + p.switch_allocation + p.crossbar;
  const Cycle head = static_cast<Cycle>(hops) * router + (static_cast<Cycle>(hops) + 1) * p.link;
  // The slowest loop of credits: between two routers, else between the router and its NIC on either side.
  const Cycle loop =
      p.link + p.credit + p.switch_allocation +
      (hops >= 2 ? p.buffer_write + p.switch_allocation + p.crossbar : std::max(p.buffer_write, p.crossbar));
  const Cycle rounds = (static_cast<Cycle>(flits) - 1) / static_cast<Cycle>(p.buffer);
  return head + static_cast<Cycle>(flits) - 1 + rounds * std::max<Cycle>(0, loop - static_cast<Cycle>(p.buffer));
}

std::vector<IqProblem> iq_problems(const IqParameters& p, const PacketRouting& routing, const Graph& graph,
                                   bool deadlocks) {
  std::vector<IqProblem> out;
  const auto add = [&](const char* key, std::string text) { out.push_back({key, std::move(text)}); };
  const bool vcs = p.vcs >= 1 && p.vcs <= kMostIqVcs;
  if (!vcs) add("vcs", fmt::format("{} VCs; 1 to {} are possible", p.vcs, kMostIqVcs));
  if (p.buffer < 1 || p.buffer > kMostIqBuffer) {
    add("buffer", fmt::format("{} flits per VC; 1 to {} are possible", p.buffer, kMostIqBuffer));
  }
  struct Stage {
    const char* key;
    Cycle value;
    Cycle least;
  };
  for (const Stage& s :
       {Stage{"stages.buffer_write", p.buffer_write, 0}, Stage{"stages.routing", p.routing, 0},
        Stage{"stages.vc_allocation", p.vc_allocation, 0}, Stage{"stages.switch_allocation", p.switch_allocation, 0},
        Stage{"stages.crossbar", p.crossbar, 0}, Stage{"link.delay", p.link, 1},
        Stage{"link.credit_delay", p.credit, 1}}) {
    if (s.value >= s.least && s.value <= kMostIqLatency) continue;
    add(s.key, fmt::format("{} cycles; {} to {} are possible", s.value, s.least, kMostIqLatency));
  }
  if (p.iterations < 1 || p.iterations > kMostIqIterations) {
    add("iterations", fmt::format("{} iterations; 1 to {} are possible", p.iterations, kMostIqIterations));
  } else if (p.allocation == IqAllocation::separable && p.iterations != 1) {
    add("iterations", "iterations are for islip only (allocator: islip)");
  }
  const std::uint32_t classes = routing.lane_classes();
  if (vcs && p.vcs % classes != 0) {
    add("vcs", fmt::format("the routing has {} lane classes, which must divide the {} VCs", classes, p.vcs));
  }
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (graph.ports(s) <= kMostIqPorts) continue;
    add("topology", fmt::format("switch {} has {} ports; {} are possible", s, graph.ports(s), kMostIqPorts));
    break;
  }
  if (routing.rings_without_classes()) {
    add("routing.ring",
        "wormholes on a torus need lane classes (dateline), bubbles do not keep its rings open: "
        "they are places for whole packets, of which these routers may hold a few flits each");
  }
  if (!out.empty() || !deadlocks) return out;
  const std::string cycle = find_deadlock(routing, graph);
  if (!cycle.empty()) add("routing", "the routing can deadlock: links " + cycle + " wait for each other");
  return out;
}

}  // namespace weft
