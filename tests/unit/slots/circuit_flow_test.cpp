#include "algorithms/slots/flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "network/patterns.h"
#include "network/routing/routing_config.h"
#include "support/places.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

using test::dimension_order;
using test::flow;
using test::grid;
using test::Pairs;

const nlohmann::json& published_flows() {
  static const nlohmann::json data = [] {
    std::ifstream file(test::source_dir() + "/tests/data/published_fic.json");
    return nlohmann::json::parse(file);
  }();
  return data;
}

std::vector<std::string> errors_of(const Graph& graph, const CircuitRouting& routing, std::uint32_t m,
                                   const Pairs& pairs) {
  Diagnostics diagnostics;
  make_flow(graph, routing, "7", "", m, pairs, {"c.yaml", 4, 2}, diagnostics);
  std::vector<std::string> texts;
  for (const Diagnostic& d : diagnostics.list()) texts.push_back(d.text());
  return texts;
}

/// Parents before children, links that follow each other, every destination at the end of its branch, no
/// switch twice.
void expect_tree(const Graph& graph, const CircuitTree& tree) {
  ASSERT_FALSE(tree.edges.empty());
  EXPECT_EQ(tree.edges[0].link, graph.injection_link(tree.source));
  EXPECT_EQ(tree.edges[0].parent, -1);
  std::set<SwitchId> entered{graph.attachment(tree.source).sw};
  for (std::size_t e = 1; e < tree.edges.size(); ++e) {
    const auto parent = static_cast<std::size_t>(tree.edges[e].parent);
    ASSERT_LT(parent, e);
    const LinkId into = tree.edges[parent].link;
    const PortRef out = graph.driver(tree.edges[e].link);
    EXPECT_EQ(out.sw, graph.is_injection(into) ? graph.attachment(tree.source).sw
                                               : graph.peer(graph.driver(into).sw, graph.driver(into).port).sw);
    const SwitchId peer = graph.peer(out.sw, out.port).sw;
    if (peer == kNoId) continue;
    EXPECT_TRUE(entered.insert(peer).second);
  }
  ASSERT_EQ(tree.ejection_edge.size(), tree.destinations.size());
  for (std::size_t d = 0; d < tree.destinations.size(); ++d) {
    const PortRef out = graph.driver(tree.edges[tree.ejection_edge[d]].link);
    EXPECT_EQ(graph.node_at(out.sw, out.port), tree.destinations[d]);
  }
}

TEST(Flow, UnicastTreeIsTheRoute) {
  const Graph graph = grid({4, 4});
  const auto routing = dimension_order(graph);
  const CircuitTree tree = make_tree(graph, *routing, 3, {12});
  std::vector<LinkId> links;
  for (const TreeEdge& edge : tree.edges) links.push_back(edge.link);
  EXPECT_EQ(links, route(graph, *routing, 3, 12));
  expect_tree(graph, tree);
}

// FiC paper, Fig. 8: (5,0), (5,1), (5,2) are one multicast.
TEST(Flow, MulticastSharesLinks) {
  const Graph graph = grid({4, 4});
  const CircuitTree tree = make_tree(graph, *dimension_order(graph), 5, {0, 1, 2});
  expect_tree(graph, tree);
  // 5 -> host link, 5-4, 4-0, ej 0; 5-1, ej 1; 5-6, 6-2, ej 2.
  EXPECT_EQ(tree.edges.size(), 9u);
  EXPECT_EQ(tree.edges[4].parent, 0);
}

// x before y: 0-1-2-5 and 1-4; y before x: 0-3-4 and 4-5. Node 6 is on a line with 0 and has one route in both.
TEST(Flow, OtherTreesHaveTheSameWays) {
  const Graph graph = grid({3, 3});
  const auto trees = minimal_trees(graph, *dimension_order(graph), kDimensionOrder, 0, {5, 4, 6}, 4);
  ASSERT_GE(trees.size(), 2u);
  const auto crosses = [&](const CircuitTree& t, SwitchId from, SwitchId to) {
    return std::any_of(t.edges.begin() + 1, t.edges.end(), [&](const TreeEdge& e) {
      const PortRef at = graph.driver(e.link);
      return at.sw == from && graph.peer(at.sw, at.port).sw == to;
    });
  };
  EXPECT_EQ(trees[0].edges, make_tree(graph, *dimension_order(graph), 0, {5, 4, 6}).edges);
  EXPECT_TRUE(crosses(trees[0], 0, 1) && crosses(trees[0], 1, 4) && crosses(trees[0], 2, 5));
  EXPECT_TRUE(crosses(trees[1], 0, 3) && crosses(trees[1], 3, 4) && crosses(trees[1], 4, 5));
  EXPECT_FALSE(crosses(trees[1], 0, 1));
  for (std::size_t n = 0; n < trees.size(); ++n) {
    expect_tree(graph, trees[n]);
    EXPECT_EQ(trees[n].destinations, (std::vector<NodeId>{5, 4, 6}));
    for (std::size_t other = 0; other < n; ++other) EXPECT_NE(trees[n].edges, trees[other].edges);
    const std::vector<std::size_t> links{5, 4, 4};  // the host's, those between switches, the ejection link
    for (std::size_t d = 0; d < 3; ++d) {
      std::size_t length = 0;
      for (auto e = static_cast<std::int32_t>(trees[n].ejection_edge[d]); e >= 0; e = trees[n].edges[e].parent)
        ++length;
      EXPECT_EQ(length, links[d]);
    }
  }
}

TEST(Flow, RoutesThatPartAndMeetAgainAreJoined) {
  // 0 - 1 - 3 - 4 and 0 - 2 - 3: node 1 (at switch 3) is reached over switch 1, node 2 (at switch 4) over
  // switch 2.
  Graph graph("diamond");
  for (int s = 0; s < 5; ++s) graph.add_switch(4);
  graph.connect({0, 1}, {1, 1});
  graph.connect({0, 2}, {2, 1});
  graph.connect({1, 2}, {3, 1});
  graph.connect({2, 2}, {3, 2});
  graph.connect({3, 3}, {4, 1});
  graph.attach_node({0, 0});
  graph.attach_node({3, 0});
  graph.attach_node({4, 0});
  struct Parting final : CircuitRouting {
    PortId next(SwitchId at, NodeId to) const override {
      if (at == 0) return to == 1 ? 1 : 2;  // to node 1 over switch 1, to node 2 over switch 2
      if (at == 3) return to == 1 ? 0 : 3;
      return at == 4 ? 0 : 2;
    }
  };
  const CircuitTree tree = make_tree(graph, Parting(), 0, {1, 2});
  expect_tree(graph, tree);
  // The second route leaves the first one at switch 3, not at switch 0.
  EXPECT_EQ(tree.edges.size(), 6u);
  EXPECT_EQ(graph.driver(tree.edges[4].link), (PortRef{3, 3}));
}

RC_GTEST_PROP(Flow, TreesAreTreesOnAnyNetwork, ()) {
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>(), "flow");
  const auto switches = *rc::gen::inRange<std::uint32_t>(2, 12);
  const Graph graph = test::random_graph(switches, *rc::gen::inRange<std::uint32_t>(0, 12), random);
  const auto routing = test::shortest_path(graph);
  for (const Flow& f : test::random_flows(graph, *routing, 10, random)) {
    for (const CircuitTree& tree : f.trees) expect_tree(graph, tree);
  }
  RC_ASSERT(!testing::Test::HasFailure());
}

TEST(Flow, PairsAreGroupedBySource) {
  const Graph graph = grid({4, 4});
  const Flow f = flow(graph, *dimension_order(graph), "a", {{5, 0}, {10, 15}, {5, 2}}, 3);
  ASSERT_EQ(f.trees.size(), 2u);
  EXPECT_EQ(f.trees[0].source, 5u);
  EXPECT_THAT(f.trees[0].destinations, testing::ElementsAre(0, 2));
  EXPECT_EQ(f.trees[1].source, 10u);
  EXPECT_EQ(f.slots, 3u);
}

TEST(Flow, ErrorsAreCollected) {
  const Graph graph = grid({4, 4});
  const auto routing = dimension_order(graph);
  EXPECT_THAT(errors_of(graph, *routing, 0, {}),
              testing::ElementsAre("c.yaml:4:2: error: flow '7': asks for 0 slots; at least 1 is needed",
                                   "c.yaml:4:2: error: flow '7': has no source/destination pair"));
  const std::string flow = "c.yaml:4:2: error: flow '7' (0 -> 16, 3 -> 3, 1 -> 2 2, 20 -> 30)";
  EXPECT_THAT(errors_of(graph, *routing, 1, {{0, 16}, {3, 3}, {1, 2}, {1, 2}, {20, 30}}),
              testing::ElementsAre(flow + ": node 16 does not exist; the network (mesh 4x4) has nodes 0..15",
                                   flow + ": node 3 sends to itself", flow + ": pair 1 -> 2 is named twice",
                                   flow + ": node 20 does not exist; the network (mesh 4x4) has nodes 0..15",
                                   flow + ": node 30 does not exist; the network (mesh 4x4) has nodes 0..15"));
}

TEST(Flow, ErrorsStandAtTheirNode) {
  const Graph graph = grid({4, 4});
  const Location source{"c.yaml", 4, 10};
  const PairPlaces places{
      {source, {"c.yaml", 4, 30}}, {source, {"c.yaml", 4, 33}}, {source, {"--set circuits.0.destinations.2=17", 0, 0}}};
  const auto errors = [&](const Pairs& pairs) {
    Diagnostics diagnostics;
    check_pairs(graph, "bulk", pairs, places, {"c.yaml", 4, 2}, diagnostics);
    std::vector<std::string> texts;
    for (const Diagnostic& d : diagnostics.list()) texts.push_back(d.text().substr(0, d.text().find(";")));
    return texts;
  };
  EXPECT_THAT(errors({{20, 1}, {20, 2}, {20, 17}}),
              testing::ElementsAre("c.yaml:4:10: error: flow 'bulk' (20 -> 1 2 17): node 20 does not exist",
                                   "--set circuits.0.destinations.2=17: error: flow 'bulk' (20 -> 1 2 17): node 17 "
                                   "does not exist"));
  EXPECT_THAT(errors({{1, 3}, {1, 1}, {1, 3}}),
              testing::ElementsAre("c.yaml:4:33: error: flow 'bulk' (1 -> 3 1 3): node 1 sends to itself",
                                   "--set circuits.0.destinations.2=17: error: flow 'bulk' (1 -> 3 1 3): pair 1 -> 3 "
                                   "is named twice"));
}

TEST(Flow, CircuitsOfOneFlowMustNotShareALink) {
  const Graph graph = grid({4, 4});
  EXPECT_THAT(errors_of(graph, *dimension_order(graph), 1, {{0, 8}, {0, 2}, {1, 3}, {12, 13}}),
              testing::ElementsAre("c.yaml:4:2: error: flow '7': 0 -> 2 and 1 -> 3 would share a slot on link "
                                   "sw[1].port1 -> sw[2]; give them different flow ids"));
  EXPECT_THAT(
      errors_of(graph, *dimension_order(graph), 1, {{13, 14}, {10, 14}}),
      testing::ElementsAre(testing::HasSubstr("13 -> 14 and 10 -> 14 would share a slot on link sw[14].port0 -> "
                                              "node 14")));
}

// FiC paper, Fig. 10: N = 5, on link 4 -> 8.
TEST(MinimumSlots, Fig10) {
  const auto& figure = published_flows()["fig10"];
  const Graph graph = grid({4, 4});
  const auto flows = test::flow_per_pair(graph, *dimension_order(graph), figure["pairs"].get<Pairs>());
  const MinimumSlots minimum = minimum_slots(graph, flows);
  EXPECT_EQ(minimum.slots, figure["min_slots"].get<std::uint32_t>());
  EXPECT_EQ(graph.link_name(minimum.link), "sw[4].port3 -> sw[8]");
  EXPECT_EQ(link_loads(graph, flows)[graph.out_link(8, 0)], 3u);  // ejection at node 8
}

TEST(MinimumSlots, CountsSlotsAndHostLinks) {
  const Graph graph = grid({4, 4});
  const auto routing = dimension_order(graph);
  EXPECT_EQ(minimum_slots(graph, {}).slots, 0u);
  EXPECT_EQ(minimum_slots(graph, {}).link, kNoId);
  // Three flows meet only in node 5's ejection link.
  const std::vector<Flow> flows{flow(graph, *routing, "a", {{4, 5}}, 2), flow(graph, *routing, "b", {{6, 5}}),
                                flow(graph, *routing, "c", {{9, 5}})};
  EXPECT_EQ(minimum_slots(graph, flows).slots, 4u);
  EXPECT_EQ(graph.link_name(minimum_slots(graph, flows).link), "sw[5].port0 -> node 5");
}

std::uint32_t slots_of_pattern(const Graph& graph, const CircuitRouting& routing, const std::string& name,
                               std::uint64_t seed) {
  RandomStream random(seed, name);
  return minimum_slots(graph, test::flow_per_pair(graph, routing, make_pattern(name, graph, random, {}))).slots;
}

// FiC paper, Table 1: the deterministic columns exactly, the random ones inside their distribution.
TEST(MinimumSlots, Table1) {
  int cells = 0;
  for (const auto& row : published_flows()["table1_min_slots"]) {
    const Graph graph = grid(row["dims"].get<std::vector<std::uint32_t>>());
    const auto routing = dimension_order(graph, row["order"].get<std::vector<std::uint32_t>>());
    for (const auto& [pattern, slots] : row["published"].items()) {
      if (pattern == "uniform" || pattern == "neighbor") continue;
      EXPECT_EQ(slots_of_pattern(graph, *routing, pattern, 1), slots.get<std::uint32_t>())
          << graph.name() << ' ' << pattern;
      ++cells;
    }
  }
  EXPECT_EQ(cells, 42);
}

TEST(MinimumSlots, Table1RandomColumns) {
  int draws = 0;
  int inside = 0;
  for (const auto& row : published_flows()["table1_min_slots"]) {
    const Graph graph = grid(row["dims"].get<std::vector<std::uint32_t>>());
    const auto routing = dimension_order(graph, row["order"].get<std::vector<std::uint32_t>>());
    for (const std::string pattern : {"uniform", "neighbor"}) {
      const auto range = row["range_over_200_seeds"][pattern].get<std::vector<std::uint32_t>>();
      for (std::uint64_t seed = 1; seed <= 15; ++seed, ++draws) {
        const std::uint32_t slots = slots_of_pattern(graph, *routing, pattern, seed);
        inside += slots >= range[0] && slots <= range[1] ? 1 : 0;
        // One step beyond what 200 other seeds gave may happen, two must not.
        EXPECT_GE(slots + 1, range[0]) << graph.name() << ' ' << pattern;
        EXPECT_LE(slots, range[1] + 1) << graph.name() << ' ' << pattern;
      }
    }
  }
  EXPECT_EQ(draws, 7 * 2 * 15);
  EXPECT_GE(inside, draws * 98 / 100);
}

}  // namespace
}  // namespace weft
