#pragma once
// Routes of packets step by step, with the checks that hold for every step of every routing; small networks to walk in.

#include <gtest/gtest.h>

#include <cstdint>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "network/routing/packet_routing.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/routing_config.h"
#include "network/topology/topologies.h"
#include "unit/schema/config_support.h"

namespace weft {

inline constexpr std::uint32_t kFar = 1'000'000;

/// Links on the shortest way from a switch to each switch; kFar: there is none.
inline std::vector<std::uint32_t> distances(const Graph& g, SwitchId from) {
  std::vector<std::uint32_t> d(g.switches(), kFar);
  std::queue<SwitchId> open;
  d[from] = 0;
  for (open.push(from); !open.empty(); open.pop()) {
    const SwitchId s = open.front();
    for (PortId p = 0; p < g.ports(s); ++p) {
      const SwitchId t = g.peer(s, p).sw;
      if (t == kNoId || d[t] != kFar) continue;
      d[t] = d[s] + 1;
      open.push(t);
    }
  }
  return d;
}

struct Hop {
  SwitchId at;
  PortId in;
  RouteStep step;
};

/// All hops of a message, the last one to its node; at each trunk it takes the port `member` (modulo their number).
inline std::vector<Hop> walk(const PacketRouting& routing, const Graph& g, NodeId from, NodeId to, std::uint32_t choice,
                             std::uint32_t member) {
  std::vector<Hop> out;
  RoutePlace place{g.attachment(from).sw, g.attachment(from).port, 0};
  while (out.size() <= 2 * g.switches()) {
    const RouteStep step = routing.step(place, to, choice);
    out.push_back({place.at, place.in, step});
    EXPECT_GE(step.count, 1);
    EXPECT_LT(step.lane_class, routing.lane_classes());
    // Whatever port of the trunk it takes, it comes to the same switch.
    std::set<SwitchId> peers;
    for (std::uint32_t i = 0; i < step.count; ++i)
      peers.insert(g.peer(place.at, static_cast<PortId>(step.first + i)).sw);
    EXPECT_EQ(peers.size(), 1U);
    bool listed = false;
    routing.each_step(place, to, [&](const RouteStep& s) {
      listed =
          listed || (s.first == step.first && s.lane_class == step.lane_class && s.enters_ring == step.enters_ring);
    });
    EXPECT_TRUE(listed);
    const auto port = static_cast<PortId>(step.first + member % step.count);
    if (g.node_at(place.at, port) != kNoId) {
      EXPECT_EQ(g.node_at(place.at, port), to);
      return out;
    }
    const PortRef peer = g.peer(place.at, port);
    EXPECT_NE(peer.sw, kNoId) << "a free port";
    if (peer.sw == kNoId) break;
    place = {peer.sw, peer.port, step.lane_class};
  }
  ADD_FAILURE() << from << " -> " << to << " does not arrive";
  return out;
}

inline TopologyConfig packet_grid(const std::string& kind, std::vector<std::uint32_t> dims, std::uint32_t nodes,
                                  std::uint32_t trunk) {
  TopologyConfig t = topology_config(kind, {{"dims", std::move(dims)}, {"nodes_per_switch", nodes}, {"trunk", trunk}});
  return t;
}

inline TopologyConfig packet_tree(std::uint32_t arity, std::uint32_t levels) {
  TopologyConfig t = topology_config("tree", {{"arity", arity}, {"levels", levels}});
  return t;
}

inline PacketRoutingOptions options(const RoutingAlgorithm* algorithm, RingControl ring = RingControl::bubble,
                                    bool random_ties = true) {
  PacketRoutingOptions o;
  o.routing.algorithm = algorithm;
  o.ring = ring;
  o.ties = random_ties ? RouteTies::random : RouteTies::plus;
  return o;
}

}  // namespace weft
