// Routings that are free of deadlock on any network: up*/down* and minimal routes with a lane class per hop, on random
// connected graphs, dragonflies and Clos networks. Every pair of nodes has a route, its length is held against a search
// of the test's own, and the links that messages wait for are put in order here, not only by search_deadlock().

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "base/random.h"
#include "network/routing/deadlock_check.h"
#include "network/routing/link_state.h"
#include "network/routing/minimal_vl_per_hop.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/shortest_path.h"
#include "network/routing/up_down.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft {
namespace {

using Links = std::vector<std::pair<SwitchId, SwitchId>>;

/// Switches with nodes at their first ports, then their links in the order given.
Graph graph_of(const std::vector<std::uint32_t>& nodes, const Links& links) {
  std::vector<std::uint32_t> ports = nodes;
  for (const auto& [a, b] : links) {
    ++ports[a];
    ++ports[b];
  }
  Graph g("test");
  for (const std::uint32_t p : ports) g.add_switch(static_cast<PortId>(p));
  std::vector<std::uint32_t> next(ports.size());
  for (SwitchId s = 0; s < nodes.size(); ++s) {
    for (std::uint32_t n = 0; n < nodes[s]; ++n) g.attach_node({s, static_cast<PortId>(next[s]++)});
  }
  for (const auto& [a, b] : links) g.connect({a, static_cast<PortId>(next[a]++)}, {b, static_cast<PortId>(next[b]++)});
  return g;
}

/// A connected graph: a random tree and further links, some of them parallel.
Graph random_network(RandomStream& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  const std::uint32_t switches = 2 + below(14);
  Links links;
  for (SwitchId s = 1; s < switches; ++s) links.emplace_back(s, below(s));
  for (std::uint32_t more = below(2 * switches); more > 0; --more) {
    const SwitchId a = below(switches);
    const SwitchId b = below(switches);
    if (a != b) links.emplace_back(a, b);
  }
  for (std::size_t i = links.size(); i > 1; --i) std::swap(links[i - 1], links[below(i)]);
  std::vector<std::uint32_t> nodes(switches);
  for (std::uint32_t& n : nodes) n = below(3);
  nodes[below(switches)] = 1;
  return graph_of(nodes, links);
}

std::uint32_t distance(const Graph& g, SwitchId from, SwitchId to) {
  std::map<SwitchId, std::uint32_t> found{{from, 0}};
  std::queue<SwitchId> open({from});
  for (; !open.empty() && !found.contains(to); open.pop()) {
    for (PortId p = 0; p < g.ports(open.front()); ++p) {
      const SwitchId next = g.peer(open.front(), p).sw;
      if (next != kNoId && found.emplace(next, found[open.front()] + 1).second) open.push(next);
    }
  }
  return found.at(to);
}

struct Channel {
  LinkId link;
  std::uint8_t lane_class;
  auto operator<=>(const Channel&) const = default;
};

/// Links between switches of a route; nothing when it does not arrive.
template <class Routing>
std::optional<std::vector<Channel>> walk_channels(const Routing& routing, const Graph& g, NodeId from, NodeId to) {
  std::vector<Channel> out;
  RoutePlace place{g.attachment(from).sw, g.attachment(from).port, 0};
  while (out.size() <= g.switches()) {
    const RouteStep step = routing.step(place, to, 0);
    if (step.count == 0) return std::nullopt;
    if (g.node_at(place.at, step.first) != kNoId) {
      if (g.node_at(place.at, step.first) == to) return out;
      return std::nullopt;
    }
    const PortRef next = g.peer(place.at, step.first);
    if (next.sw == kNoId) return std::nullopt;
    out.push_back({g.out_link(place.at, step.first), step.lane_class});
    place = {next.sw, next.port, step.lane_class};
  }
  return std::nullopt;
}

/// Channels that wait for others, and whether they can be put in an order (Kahn).
class Waiting {
 public:
  void add(const std::vector<Channel>& route) {
    for (std::size_t i = 0; i + 1 < route.size(); ++i) edges_.emplace(route[i], route[i + 1]);
  }
  bool ordered() const {
    std::map<Channel, std::uint32_t> before;
    for (const auto& [a, b] : edges_) {
      before.try_emplace(a, 0);
      ++before[b];
    }
    std::vector<Channel> open;
    for (const auto& [c, n] : before) {
      if (n == 0) open.push_back(c);
    }
    std::size_t done = 0;
    for (; !open.empty(); ++done) {
      const Channel c = open.back();
      open.pop_back();
      for (auto e = edges_.lower_bound({c, {0, 0}}); e != edges_.end() && e->first == c; ++e) {
        if (--before[e->second] == 0) open.push_back(e->second);
      }
    }
    return done == before.size();
  }

 private:
  std::set<std::pair<Channel, Channel>> edges_;
};

PacketRoutingOptions up_down(std::uint32_t roots) {
  PacketRoutingOptions options;
  options.routing.algorithm = &kUpDown;
  options.routing.roots = roots;
  return options;
}

PacketRoutingOptions per_hop() {
  PacketRoutingOptions options;
  options.routing.algorithm = &kMinimalVlPerHop;
  return options;
}

RC_GTEST_PROP(UpDown, RandomGraphsHaveRoutesForAllPairsAndNoDeadlock, (std::uint64_t seed)) {
  RandomStream random(seed, "graph");
  const Graph g = random_network(random);
  const auto roots = static_cast<std::uint32_t>(1 + random.below(4));
  const auto routing = make_packet_routing(up_down(roots), g);
  RC_ASSERT(routing->lane_classes() == roots);
  RC_ASSERT(search_deadlock(*routing, g) == "");
  Waiting waiting;
  for (NodeId from = 0; from < g.nodes(); ++from) {
    for (NodeId to = 0; to < g.nodes(); ++to) {
      const auto route = walk_channels(*routing, g, from, to);
      RC_ASSERT(route.has_value());
      RC_ASSERT(route->size() >= distance(g, g.attachment(from).sw, g.attachment(to).sw));
      for (const Channel& c : *route) RC_ASSERT(c.lane_class == to % roots);
      waiting.add(*route);
    }
  }
  RC_ASSERT(waiting.ordered());
}

RC_GTEST_PROP(UpDown, DetoursAddNoDeadlock, (std::uint64_t seed)) {
  RandomStream random(seed, "graph");
  const Graph g = random_network(random);
  const auto options = up_down(static_cast<std::uint32_t>(1 + random.below(2)));
  const auto routing = make_packet_routing(options, g);
  LinkState links(g);
  const auto detours = make_faulty_routing(*routing, options, g, links);
  Waiting waiting;
  for (int round = 0; round < 4; ++round) {
    for (NodeId from = 0; from < g.nodes(); ++from) {
      for (NodeId to = 0; to < g.nodes(); ++to) {
        const auto usual = walk_channels(*routing, g, from, to);
        const auto route = walk_channels(*detours, g, from, to);
        if (links.all_up()) RC_ASSERT(route == usual);
        const bool whole =
            links.up(g.out_link(g.attachment(to).sw, g.attachment(to).port)) &&
            std::all_of(usual->begin(), usual->end(), [&](const Channel& c) { return links.up(c.link); });
        RC_ASSERT(route.has_value() || !whole);
        if (!route) continue;
        for (const Channel& c : *route) RC_ASSERT(links.up(c.link));
        waiting.add(*route);
      }
    }
    for (LinkId l = 0; l < g.total_ports(); ++l) links.set(l, random.below(6) != 0);
    detours->update();
  }
  RC_ASSERT(waiting.ordered());
}

RC_GTEST_PROP(MinimalVlPerHop, RandomGraphsHaveShortestRoutesAndNoDeadlock, (std::uint64_t seed)) {
  RandomStream random(seed, "graph");
  const Graph g = random_network(random);
  const auto routing = make_packet_routing(per_hop(), g);
  RC_ASSERT(search_deadlock(*routing, g) == "");
  Waiting waiting;
  std::uint32_t longest = 1;
  for (NodeId from = 0; from < g.nodes(); ++from) {
    for (NodeId to = 0; to < g.nodes(); ++to) {
      const auto route = walk_channels(*routing, g, from, to);
      RC_ASSERT(route.has_value());
      RC_ASSERT(route->size() == distance(g, g.attachment(from).sw, g.attachment(to).sw));
      for (std::size_t hop = 0; hop < route->size(); ++hop) RC_ASSERT((*route)[hop].lane_class == hop);
      longest = std::max(longest, static_cast<std::uint32_t>(route->size()));
      waiting.add(*route);
    }
  }
  RC_ASSERT(routing->lane_classes() == longest);
  RC_ASSERT(waiting.ordered());
}

TEST(MinimalVlPerHop, DragonfliesGoLocalGlobalLocal) {
  struct Size {
    std::uint32_t g, a, p, h;
  };
  // The largest one, smaller ones with several links between two groups, one group, groups of one router.
  for (const auto& [g, a, p, h] : {Size{9, 4, 2, 2}, {5, 4, 1, 2}, {3, 4, 2, 3}, {1, 5, 2, 1}, {4, 1, 1, 3}}) {
    const Graph graph = build_topology(topology_config(
        "dragonfly", {{"groups", g}, {"routers_per_group", a}, {"nodes_per_router", p}, {"global_links", h}}));
    SCOPED_TRACE(graph.name());
    const auto routing = make_packet_routing(per_hop(), graph);
    EXPECT_EQ(routing->lane_classes(), 2U);
    EXPECT_EQ(search_deadlock(*routing, graph), "");
    std::set<LinkId> used;
    Waiting waiting;
    for (NodeId from = 0; from < graph.nodes(); ++from) {
      for (NodeId to = 0; to < graph.nodes(); ++to) {
        const auto route = walk_channels(*routing, graph, from, to);
        ASSERT_TRUE(route.has_value()) << from << " -> " << to;
        waiting.add(*route);
        std::string kinds;
        for (const Channel& c : *route) {
          const PortRef driver = graph.driver(c.link);
          const bool global = driver.sw / a != graph.peer(driver.sw, driver.port).sw / a;
          EXPECT_EQ(c.lane_class, kinds.find('g') != std::string::npos ? 1 : 0);
          kinds += global ? 'g' : 'l';
          if (global) used.insert(c.link);
        }
        const SwitchId here = graph.attachment(from).sw;
        const SwitchId there = graph.attachment(to).sw;
        const std::set<std::string> possible = here == there           ? std::set<std::string>{""}
                                               : here / a == there / a ? std::set<std::string>{"l"}
                                                                       : std::set<std::string>{"g", "lg", "gl", "lgl"};
        EXPECT_TRUE(possible.contains(kinds)) << from << " -> " << to << ": " << kinds;
      }
    }
    EXPECT_TRUE(waiting.ordered());
    // Destinations are spread over all links between two groups.
    std::size_t global = 0;
    for (LinkId l = 0; l < graph.total_ports(); ++l) {
      const PortRef d = graph.driver(l);
      const SwitchId peer = graph.peer(d.sw, d.port).sw;
      global += peer != kNoId && peer / a != d.sw / a ? 1 : 0;
    }
    EXPECT_EQ(used.size(), global);
  }
}

// A line has no route of its own for messages that must change their VL more often than there are VLs.
TEST(MinimalVlPerHop, TooLongNetworksAreRefused) {
  const auto line = [](std::uint32_t switches) {
    Links links;
    for (SwitchId s = 1; s < switches; ++s) links.emplace_back(s - 1, s);
    return graph_of(std::vector<std::uint32_t>(switches, 1), links);
  };
  const Graph longest = line(32);
  EXPECT_EQ(make_packet_routing(per_hop(), longest)->lane_classes(), 31U);
  const Graph too_long = line(33);
  try {
    make_packet_routing(per_hop(), too_long);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "error: routing.algorithm: minimal_vl_per_hop needs 32 VLs on test, one per hop; there are 31; use "
                 "up_down");
  }
}

// Leaves and spines in an order that says nothing: all spines are roots, and no route is longer than it must be.
TEST(UpDown, AllSwitchesOfTheHighestLevelAreRoots) {
  const std::vector<SwitchId> leaves{1, 2, 4, 6};
  const std::vector<SwitchId> spines{0, 3, 5};
  std::vector<std::uint32_t> nodes(7);
  Links links;
  for (const SwitchId l : leaves) {
    nodes[l] = 3;
    for (const SwitchId s : spines) links.emplace_back(l, s);
  }
  const Graph g = graph_of(nodes, links);
  const auto routing = make_packet_routing(up_down(1), g);
  EXPECT_EQ(search_deadlock(*routing, g), "");
  std::map<SwitchId, int> through;
  for (NodeId from = 0; from < g.nodes(); ++from) {
    for (NodeId to = 0; to < g.nodes(); ++to) {
      const auto route = walk_channels(*routing, g, from, to);
      ASSERT_TRUE(route.has_value());
      ASSERT_EQ(route->size(), g.attachment(from).sw == g.attachment(to).sw ? 0U : 2U);
      if (!route->empty()) ++through[g.driver(route->back().link).sw];
    }
  }
  EXPECT_EQ(through.size(), spines.size());
  for (const auto& [spine, routes] : through) EXPECT_EQ(routes, 4 * 3 * 3) << spine;
}

Graph ring_of_nine() {
  Links links;
  for (SwitchId s = 0; s < 9; ++s) links.emplace_back(s, (s + 1) % 9);
  return graph_of(std::vector<std::uint32_t>(9, 2), links);
}

// Most routes over one link, of all pairs of nodes.
TEST(UpDown, FurtherRootsTakeTheirShare) {
  const Graph g = ring_of_nine();
  const auto most_routes = [&](std::uint32_t roots) {
    const auto routing = make_packet_routing(up_down(roots), g);
    std::map<LinkId, int> routes;
    int most = 0;
    for (NodeId from = 0; from < g.nodes(); ++from) {
      for (NodeId to = 0; to < g.nodes(); ++to) {
        const auto route = walk_channels(*routing, g, from, to);
        for (const Channel& c : *route) most = std::max(most, ++routes[c.link]);
      }
    }
    return most;
  };
  EXPECT_LT(most_routes(2), most_routes(1));
}

// What the tests above look for is there when nothing prevents it.
TEST(UpDown, ShortestPathsOfARingWaitInACircle) {
  const Graph g = ring_of_nine();
  PacketRoutingOptions options;
  options.routing.algorithm = &kShortestPath;
  const auto routing = make_packet_routing(options, g);
  Waiting waiting;
  for (NodeId from = 0; from < g.nodes(); ++from) {
    for (NodeId to = 0; to < g.nodes(); ++to) waiting.add(*walk_channels(*routing, g, from, to));
  }
  EXPECT_FALSE(waiting.ordered());
  EXPECT_NE(search_deadlock(*routing, g), "");
}

TEST(AnyNetworkRouting, ParallelLinksAreSharedEvenly) {
  for (std::uint32_t links = 1; links <= 6; ++links) {
    const Graph g = graph_of({0, 3 * links}, Links(links, {0, 1}));
    for (const std::uint32_t roots : {1U, 2U, 3U}) {
      const auto routing = make_packet_routing(up_down(roots), g);
      std::map<PortId, std::uint32_t> destinations;
      for (NodeId to = 0; to < g.nodes(); ++to) ++destinations[routing->step({0, 0, 0}, to, 0).first];
      EXPECT_EQ(destinations.size(), links) << roots;
      for (const auto& [port, count] : destinations) EXPECT_EQ(count, 3U) << port;
    }
  }
}

// Every link is there twice, and one of each two is down: all messages pass the same switches, and what they wait for,
// together with what they wait for while all links are up, is still in order. Shortest paths on trees only.
TEST(AnyNetworkRouting, AParallelLinkTakesThePlaceOfOneThatIsDown) {
  RandomStream random(5, "parallel");
  PacketRoutingOptions shortest;
  shortest.routing.algorithm = &kShortestPath;
  for (int round = 0; round < 200; ++round) {
    const bool tree = round % 2 == 0;
    Links links;
    const auto switches = static_cast<std::uint32_t>(2 + random.below(8));
    for (SwitchId s = 1; s < switches; ++s) links.emplace_back(s, static_cast<SwitchId>(random.below(s)));
    if (!tree && switches > 2) links.emplace_back(0, switches - 1);
    const std::size_t single = links.size();
    for (std::size_t i = 0; i < single; ++i) links.push_back(links[i]);
    const Graph g = graph_of(std::vector<std::uint32_t>(switches, 2), links);
    const PacketRoutingOptions options = tree ? shortest : per_hop();
    const auto routing = make_packet_routing(options, g);
    LinkState state(g);
    const auto faulty = make_faulty_routing(*routing, options, g, state);
    for (SwitchId s = 0; s < switches; ++s) {
      std::set<SwitchId> left;
      for (PortId p = 0; p < g.ports(s); ++p) {
        const SwitchId peer = g.peer(s, p).sw;
        if (peer == kNoId) continue;
        const bool last = left.contains(peer);
        if (last || random.below(2) == 0) state.set(g.out_link(s, p), last);
        if (!last && !state.up(s, p)) left.insert(peer);
      }
    }
    ASSERT_FALSE(state.all_up() && switches > 4);
    faulty->update();
    Waiting waiting;
    for (NodeId from = 0; from < g.nodes(); ++from) {
      for (NodeId to = 0; to < g.nodes(); ++to) {
        const auto usual = walk_channels(*routing, g, from, to);
        const auto way = walk_channels(*faulty, g, from, to);
        ASSERT_TRUE(usual && way) << from << " to " << to;
        ASSERT_EQ(usual->size(), way->size());
        for (const Channel& c : *way) EXPECT_TRUE(state.up(c.link));
        waiting.add(*usual);
        waiting.add(*way);
      }
    }
    EXPECT_TRUE(waiting.ordered());
  }
}

}  // namespace
}  // namespace weft
