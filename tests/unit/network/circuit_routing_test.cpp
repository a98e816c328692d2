#include "network/routing/routing.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/shortest_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "network/routing/minimal_routes.h"
#include "network/routing/routing_config.h"
#include "network/topology/topologies.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

using test::dimension_order;
using test::grid;
using test::shortest_path;

/// Switches of a route, from the source's to the destination's.
std::vector<SwitchId> switches_of(const Graph& graph, const std::vector<LinkId>& links) {
  std::vector<SwitchId> switches;
  for (std::size_t i = 1; i < links.size(); ++i) switches.push_back(graph.driver(links[i]).sw);
  return switches;
}

std::string routing_message(const RoutingConfig& config, const Graph& graph) {
  try {
    make_routing(config, graph);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CircuitRouting, RouteIncludesInjectionAndEjection) {
  const Graph graph = grid({4, 4});
  const std::vector<LinkId> links = route(graph, *dimension_order(graph), 0, 5);
  EXPECT_THAT(links, testing::ElementsAre(graph.injection_link(0), graph.out_link(0, 1), graph.out_link(1, 3),
                                          graph.out_link(5, 0)));
}

TEST(CircuitRouting, OrderIsConfigurable) {
  const Graph graph = grid({4, 4});
  EXPECT_THAT(switches_of(graph, route(graph, *dimension_order(graph), 0, 10)), testing::ElementsAre(0, 1, 2, 6, 10));
  EXPECT_THAT(switches_of(graph, route(graph, *dimension_order(graph, {1, 0}), 0, 10)),
              testing::ElementsAre(0, 4, 8, 9, 10));
  const Graph cube = grid({2, 2, 2});
  EXPECT_THAT(switches_of(cube, route(cube, *dimension_order(cube, {2, 0, 1}), 0, 7)),
              testing::ElementsAre(0, 4, 5, 7));
}

TEST(CircuitRouting, TorusTakesTheShorterWayAndPlusOnTies) {
  const Graph ring = grid({6}, "torus");
  const auto routing = dimension_order(ring);
  EXPECT_THAT(switches_of(ring, route(ring, *routing, 1, 5)), testing::ElementsAre(1, 0, 5));
  EXPECT_THAT(switches_of(ring, route(ring, *routing, 5, 1)), testing::ElementsAre(5, 0, 1));
  EXPECT_THAT(switches_of(ring, route(ring, *routing, 4, 1)), testing::ElementsAre(4, 5, 0, 1));
  const Graph pair = grid({2}, "torus");
  EXPECT_EQ(dimension_order(pair)->next(0, 1), 1);
  EXPECT_EQ(dimension_order(pair)->next(1, 0), 1);
}

// The orders of dimensions first, then the paths that turn more often; each once.
TEST(MinimalRoutes, AllShortestPathsIfAskedFor) {
  const Graph graph = grid({3, 3});
  const auto routing = dimension_order(graph);
  const auto routes = [&](NodeId to, std::size_t most) {
    std::vector<std::vector<SwitchId>> out;
    for (const auto& r : minimal_routes(graph, *routing, kDimensionOrder, 0, to, most)) {
      out.push_back(switches_of(graph, r));
    }
    return out;
  };
  using R = std::vector<SwitchId>;
  EXPECT_THAT(routes(8, 64), testing::ElementsAre(R{0, 1, 2, 5, 8}, R{0, 3, 6, 7, 8}, R{0, 1, 4, 5, 8},
                                                  R{0, 1, 4, 7, 8}, R{0, 3, 4, 5, 8}, R{0, 3, 4, 7, 8}));
  EXPECT_EQ(routes(8, 3).size(), 3U);
  EXPECT_THAT(routes(2, 64), testing::ElementsAre(R{0, 1, 2}));
}

RC_GTEST_PROP(CircuitRouting, DimensionOrderIsMinimalAndKeepsTheOrder, ()) {
  const auto dims = *rc::gen::container<std::vector<std::uint32_t>>(3, rc::gen::inRange<std::uint32_t>(1, 6));
  const bool torus = *rc::gen::arbitrary<bool>();
  std::vector<std::uint32_t> order{0, 1, 2};
  std::rotate(order.begin(), order.begin() + *rc::gen::inRange(0, 3), order.end());
  if (*rc::gen::arbitrary<bool>()) std::swap(order[0], order[1]);
  const Graph graph = grid(dims, torus ? "torus" : "mesh");
  const NodeId nodes = graph.nodes();
  RC_PRE(nodes > 1u);
  const auto from = *rc::gen::inRange<NodeId>(0, nodes);
  const auto to = *rc::gen::distinctFrom(rc::gen::inRange<NodeId>(0, nodes), from);
  const std::vector<LinkId> links = route(graph, *dimension_order(graph, order), from, to);

  std::uint32_t hops = 0;
  std::uint32_t stride = 1;
  for (const std::uint32_t k : dims) {
    const std::uint32_t a = from / stride % k;
    const std::uint32_t b = to / stride % k;
    const std::uint32_t apart = a < b ? b - a : a - b;
    hops += torus ? std::min(apart, k - apart) : apart;
    stride *= k;
  }
  RC_ASSERT(links.size() == hops + 2u);
  std::vector<std::size_t> ranks;  // position in `order` of each hop's dimension
  for (std::size_t i = 1; i + 1 < links.size(); ++i) {
    const std::uint32_t dimension = (graph.driver(links[i]).port - 1u) / 2u;
    ranks.push_back(static_cast<std::size_t>(std::find(order.begin(), order.end(), dimension) - order.begin()));
  }
  RC_ASSERT(std::is_sorted(ranks.begin(), ranks.end()));
  RC_ASSERT(graph.node_at(graph.driver(links.back()).sw, graph.driver(links.back()).port) == to);
}

/// Hop counts between all switches (Floyd and Warshall), the oracle of the breadth-first search.
std::vector<std::vector<std::uint32_t>> all_distances(const Graph& graph) {
  const std::uint32_t n = graph.switches();
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, 1000));
  for (SwitchId s = 0; s < n; ++s) {
    d[s][s] = 0;
    for (PortId p = 0; p < graph.ports(s); ++p) {
      if (graph.peer(s, p).sw != kNoId) d[s][graph.peer(s, p).sw] = 1;
    }
  }
  for (SwitchId k = 0; k < n; ++k) {
    for (SwitchId i = 0; i < n; ++i) {
      for (SwitchId j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

RC_GTEST_PROP(CircuitRouting, ShortestPathsAreShortestAndTiesFollowTheDestination, ()) {
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>(), "graph");
  const auto switches = *rc::gen::inRange<std::uint32_t>(1, 15);
  const Graph graph = test::random_graph(switches, *rc::gen::inRange<std::uint32_t>(0, 20), random);
  const auto routing = shortest_path(graph);
  const auto distance = all_distances(graph);
  for (NodeId from = 0; from < graph.nodes(); ++from) {
    for (NodeId to = 0; to < graph.nodes(); ++to) {
      if (from == to) continue;
      const SwitchId at = graph.attachment(from).sw;
      const SwitchId goal = graph.attachment(to).sw;
      RC_ASSERT(route(graph, *routing, from, to).size() == distance[at][goal] + 2u);
      if (at == goal) continue;
      std::vector<PortId> minimal;
      for (PortId p = 0; p < graph.ports(at); ++p) {
        const SwitchId peer = graph.peer(at, p).sw;
        if (peer != kNoId && distance[peer][goal] + 1 == distance[at][goal]) minimal.push_back(p);
      }
      RC_ASSERT(routing->next(at, to) == minimal[to % minimal.size()]);
    }
  }
}

TEST(CircuitRouting, ShortestPathUsesAllUpPortsOfATree) {
  TopologyConfig config = topology_config("tree", {{"arity", 4U}, {"levels", 3U}});
  const Graph graph = build_topology(config);
  const auto routing = shortest_path(graph);
  for (NodeId to = 16; to < 64; ++to) EXPECT_EQ(routing->next(0, to), 4 + to % 4);
  // A digit of the destination for each level: together they choose among all 16 roots, as evenly as can be.
  std::map<SwitchId, int> roots;
  for (NodeId to = 16; to < 64; ++to) {
    const SwitchId middle = graph.peer(0, routing->next(0, to)).sw;
    EXPECT_EQ(routing->next(middle, to), 4 + to / 4 % 4);
    ++roots[graph.peer(middle, routing->next(middle, to)).sw];
  }
  EXPECT_EQ(roots.size(), 16U);
  for (const auto& [root, nodes] : roots) EXPECT_EQ(nodes, 3) << root;
  EXPECT_EQ(route(graph, *routing, 0, 63).size(), 6u);  // 2 up, 2 down, host links
  EXPECT_EQ(route(graph, *routing, 0, 3).size(), 2u);
}

TEST(CircuitRouting, WrongConfigurationsAreReported) {
  RoutingConfig config;
  config.where = {"a.yaml", 7, 3};
  TopologyConfig full = topology_config("full_mesh", {{"switches", 4U}});
  EXPECT_EQ(routing_message(config, build_topology(full)),
            "a.yaml:7:3: error: dimension-order routing needs a mesh or torus, the network is a full mesh of "
            "4; use "
            "shortest_path");
  for (const std::vector<std::uint32_t>& order : {std::vector<std::uint32_t>{0}, {0, 0}, {0, 2}, {0, 1, 2}}) {
    config.order = order;
    EXPECT_THAT(routing_message(config, grid({4, 4})),
                testing::HasSubstr("must name each of the network's 2 dimensions (0..1)"));
  }
  config.order = {1, 0};
  EXPECT_EQ(routing_message(config, grid({4, 4})), "");
  config.algorithm = &kShortestPath;
  EXPECT_THAT(routing_message(config, grid({4, 4})), testing::HasSubstr("belongs to dimension_order"));
}

TEST(CircuitRouting, LoopsAndDeadEndsAreErrors) {
  struct Fixed final : CircuitRouting {
    explicit Fixed(PortId p) : port(p) {}
    PortId next(SwitchId, NodeId) const override { return port; }
    PortId port;
  };
  const Graph ring = grid({4}, "torus");
  EXPECT_EQ(route(ring, Fixed(0), 2, 2).size(), 2u);  // arrives at its own host at once
  const Graph mesh = grid({4});
  EXPECT_THROW(route(ring, Fixed(1), 0, 2), RunError);        // goes round for ever
  EXPECT_THROW(route(mesh, Fixed(1), 0, 2), RunError);        // runs into the border
  EXPECT_THROW(route(mesh, Fixed(kNoPort), 0, 2), RunError);  // does not know the way
}

}  // namespace
}  // namespace weft
