// Ways round links that are down, against a search over all ways that go up and then down.

#include <gtest/gtest.h>

#include <queue>
#include <set>

#include "base/random.h"
#include "network/routing/link_state.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/routing_config.h"
#include "network/routing/tree_packet_routing.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft {
namespace {

Graph tree_graph(std::uint32_t arity, std::uint32_t levels) {
  TopologyConfig c = topology_config("tree", {{"arity", arity}, {"levels", levels}});
  return build_topology(c);
}

PacketRoutingOptions options_of(const RoutingAlgorithm* algorithm) {
  PacketRoutingOptions o;
  o.routing.algorithm = algorithm;
  return o;
}

std::unique_ptr<PacketRouting> routing_of(const Graph& graph, const RoutingAlgorithm* algorithm) {
  return make_packet_routing(options_of(algorithm), graph);
}

// Every way from node to node that goes up any number of links that are up, then down.
bool reachable(const Graph& g, const LinkState& links, NodeId from, NodeId to) {
  const std::uint32_t k = g.tree().arity;
  const PortRef last = g.attachment(to);
  if (!links.up(last.sw, last.port)) return false;
  std::set<std::pair<SwitchId, bool>> seen;
  std::queue<std::pair<SwitchId, bool>> open;
  open.push({g.attachment(from).sw, true});
  while (!open.empty()) {
    const auto [sw, may_climb] = open.front();
    open.pop();
    if (!seen.insert({sw, may_climb}).second) continue;
    if (sw == last.sw) return true;
    for (PortId p = 0; p < g.ports(sw); ++p) {
      const PortRef peer = g.peer(sw, p);
      if (peer.sw == kNoId || !links.up(sw, p)) continue;
      const bool climbs = p >= k;
      if (climbs && !may_climb) continue;
      open.push({peer.sw, climbs && may_climb});
    }
  }
  return false;
}

// Follows one message; false when it finds no way. Fails the test when it uses a link that is down or climbs again.
bool arrives(const Graph& g, const LinkState& links, const FaultyRouting& routing, NodeId from, NodeId to,
             std::uint32_t choice) {
  RoutePlace at{g.attachment(from).sw, g.attachment(from).port, 0};
  bool came_down = false;
  for (int hops = 0; hops < 20; ++hops) {
    const RouteStep step = routing.step(at, to, choice);
    if (step.count == 0) return false;
    EXPECT_TRUE(links.up(at.at, step.first));
    const bool climbs = step.first >= g.tree().arity;
    EXPECT_FALSE(came_down && climbs);
    came_down = came_down || !climbs;
    if (g.node_at(at.at, step.first) == to) return true;
    const PortRef peer = g.peer(at.at, step.first);
    if (peer.sw == kNoId) return false;
    at = {peer.sw, peer.port, 0};
  }
  ADD_FAILURE() << "runs in circles";
  return false;
}

TEST(LinkStateTest, TreesFindAWayWhereverThereIsOne) {
  RandomStream random(7, "links");
  int cut_off = 0;
  int saved = 0;
  for (int round = 0; round < 60; ++round) {
    const Graph g = tree_graph(2 + round % 3, 1 + round % 4);
    if (g.switches() > 100) continue;
    const auto algorithm = round % 2 == 0 ? &kValiant : &kNearestCommonAncestor;
    const auto plain = routing_of(g, algorithm);
    LinkState links(g);
    const auto routing = make_faulty_routing(*plain, options_of(algorithm), g, links);
    for (LinkId l = 0; l < g.total_ports(); ++l) {
      if (random.below(5) == 0) links.set(l, false);
    }
    routing->update();
    for (NodeId from = 0; from < g.nodes(); ++from) {
      for (NodeId to = 0; to < g.nodes(); ++to) {
        const bool possible = reachable(g, links, from, to);
        cut_off += possible ? 0 : 1;
        for (int i = 0; i < 3; ++i) {
          const auto choice = static_cast<std::uint32_t>(random());
          ASSERT_EQ(arrives(g, links, *routing, from, to, choice), possible) << from << " -> " << to;
        }
        saved += possible ? 1 : 0;
      }
    }
  }
  EXPECT_GT(cut_off, 500);
  EXPECT_GT(saved, 500);
}

TEST(LinkStateTest, WithoutFaultsTheWayIsTheUsualOne) {
  for (const auto algorithm : {&kValiant, &kNearestCommonAncestor}) {
    const Graph g = tree_graph(3, 3);
    const auto plain = routing_of(g, algorithm);
    const LinkState links(g);
    const auto routing = make_faulty_routing(*plain, options_of(algorithm), g, links);
    for (SwitchId s = 0; s < g.switches(); ++s) {
      for (PortId in = 0; in < g.ports(s); ++in) {
        for (NodeId to = 0; to < g.nodes(); ++to) {
          for (const std::uint32_t choice : {0U, 5U, 17U, 26U}) {
            // A message comes down only above its destination.
            if (in >= 3 && g.peer(s, in).sw != kNoId) {
              bool above = false;
              plain->each_step({g.peer(s, in).sw, 0, 0}, to, [&](const RouteStep& up) {
                above = above || g.peer(g.peer(s, in).sw, up.first).sw == s;
              });
              if (!above) continue;
            }
            const RouteStep a = plain->step({s, in, 0}, to, choice);
            const RouteStep b = routing->step({s, in, 0}, to, choice);
            ASSERT_EQ(a.first, b.first) << s << " " << in << " " << to;
            ASSERT_EQ(b.count, 1);
          }
        }
      }
    }
  }
}

TEST(LinkStateTest, ATrunkWorksAsLongAsOneOfItsLinksIsUp) {
  TopologyConfig c = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2}}, {"trunk", 3U}});
  const Graph g = build_topology(c);
  const auto plain = routing_of(g, &kDimensionOrder);
  LinkState links(g);
  const auto routing = make_faulty_routing(*plain, options_of(&kDimensionOrder), g, links);
  const PortId first = plain->step({0, 0, 0}, 1, 0).first;
  for (PortId p = 0; p < 3; ++p) {
    EXPECT_EQ(routing->step({0, 0, 0}, 1, 0).count, 3);
    links.set(g.out_link(0, static_cast<PortId>(first + p)), false);
    routing->update();
  }
  EXPECT_EQ(routing->step({0, 0, 0}, 1, 0).count, 0);
  EXPECT_EQ(routing->step({1, 0, 0}, 0, 0).count, 3);
}

}  // namespace
}  // namespace weft
