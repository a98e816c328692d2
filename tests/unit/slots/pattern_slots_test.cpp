// Slots of patterns: minimum over seeds, allocators, and the FiC paper's Table 1.

#include "studies/slots/pattern_slots.h"
#include "algorithms/slots/allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "network/patterns.h"
#include "network/topology/topologies.h"
#include "studies/slots/table1.h"
#include "support/places.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

const nlohmann::json& published_patterns() {
  static const nlohmann::json data = [] {
    std::ifstream file(test::source_dir() + "/tests/data/published_fic.json");
    return nlohmann::json::parse(file)["table1_min_slots"];
  }();
  return data;
}

const std::vector<Table1Cell>& table1() {
  static const std::vector<Table1Cell> cells = make_table1({1, 200, {&slot_allocators().at("search")}, 200'000});
  return cells;
}

TEST(Table1, HoldsThePublishedValues) {
  ASSERT_EQ(table1_networks().size(), published_patterns().size());
  for (std::size_t n = 0; n < published_patterns().size(); ++n) {
    const Table1Network& network = table1_networks()[n];
    EXPECT_EQ(network.topology.numbers("dims"), published_patterns()[n]["dims"].get<std::vector<std::uint32_t>>());
    EXPECT_EQ(network.routing.order, published_patterns()[n]["order"].get<std::vector<std::uint32_t>>());
    for (std::size_t p = 0; p < kTable1Patterns; ++p) {
      EXPECT_EQ(network.published[p], published_patterns()[n]["published"][pattern_names()[p]].get<std::uint32_t>());
    }
  }
}

TEST(Table1, DeterministicCellsAreExactAndSearchNeedsNoMore) {
  int cells = 0;
  for (const Table1Cell& c : table1()) {
    if (c.random) continue;
    SCOPED_TRACE(c.network + " " + c.pattern);
    EXPECT_EQ(c.minimum, c.published);
    EXPECT_THAT(c.slots, testing::ElementsAre(c.published));
    EXPECT_TRUE(c.by_seed.empty());
    EXPECT_TRUE(c.agrees());
    ++cells;
  }
  EXPECT_EQ(cells, 42);
}

// The ends of Wilson's interval are the probabilities from which the share lies 1.96 standard deviations away.
TEST(Table1, IntervalOfAShareOfDraws) {
  for (const std::uint64_t draws : {1U, 7U, 200U, 20'000U}) {
    for (const std::uint64_t hits : {std::uint64_t{0}, std::uint64_t{1}, draws / 3, draws}) {
      SCOPED_TRACE(std::to_string(hits) + " of " + std::to_string(draws));
      const DrawShare s = draw_share(hits, draws);
      EXPECT_DOUBLE_EQ(s.percent, 100.0 * static_cast<double>(hits) / static_cast<double>(draws));
      EXPECT_EQ(s.low == 0, hits == 0);
      EXPECT_EQ(s.high == 100, hits == draws);
      for (const double end : {s.low, s.high}) {
        const double p = end / 100;
        if (p == 0 || p == 1) continue;
        EXPECT_NEAR(std::abs(s.percent / 100 - p), 1.959964 * std::sqrt(p * (1 - p) / static_cast<double>(draws)),
                    1e-7);
      }
    }
  }
}

TEST(Table1, SharesOfThePublishedValues) {
  for (const Table1Cell& c : table1()) {
    if (!c.random) continue;
    SCOPED_TRACE(c.network + " " + c.pattern);
    EXPECT_LE(c.drawn().low, c.drawn().percent);
    EXPECT_LE(c.drawn().percent, c.drawn().high);
    EXPECT_EQ(c.drawn().percent > 0, std::find(c.by_seed.begin(), c.by_seed.end(), c.published) != c.by_seed.end());
  }
}

// The ranges of the data file were recomputed by another program with other random numbers, over as many draws.
TEST(Table1, RandomCellsSpreadAsRecomputedElsewhere) {
  int inside = 0;
  for (std::size_t i = 0; i < table1().size(); ++i) {
    const Table1Cell& c = table1()[i];
    if (!c.random) continue;
    SCOPED_TRACE(c.network + " " + c.pattern);
    ASSERT_EQ(c.by_seed.size(), 200u);
    EXPECT_EQ(c.by_seed.front(), c.minimum);
    const auto range = published_patterns()[i / kTable1Patterns]["range_over_200_seeds"][c.pattern];
    const auto [least, most] = std::minmax_element(c.by_seed.begin(), c.by_seed.end());
    EXPECT_NEAR(*least, range[0].get<double>(), 1);
    EXPECT_NEAR(*most, range[1].get<double>(), 2);
    const bool never_drawn = c.network == "mesh 16x16x16" && c.pattern == "neighbor";
    EXPECT_EQ(c.agrees(), !never_drawn);
    inside += c.agrees() ? 1 : 0;
  }
  EXPECT_EQ(inside, 13);
}

// Three nodes that each send to one of the two others: of the eight ways, the two rotations need one slot, the others
// have a node that receives twice.
TEST(MinimumSlotsBySeed, ThreeNodesInClosedForm) {
  TopologyConfig config = topology_config("full_mesh", {{"switches", 3U}});
  const Graph graph = build_topology(config);
  const auto routing = test::shortest_path(graph);
  const std::vector<std::uint32_t> n = minimum_slots_by_seed(graph, *routing, "uniform", 7, 8000, {});
  const auto ones = std::count(n.begin(), n.end(), 1u);
  EXPECT_NEAR(static_cast<double>(ones), 2000, 155);  // four standard deviations
  EXPECT_EQ(ones + std::count(n.begin(), n.end(), 2u), 8000);
}

TEST(MinimumSlotsBySeed, IsThatOfTheFlowsOfEachSeed) {
  const Graph graph = test::grid({6, 5}, "torus");
  const auto routing = test::dimension_order(graph, {1, 0});
  const std::vector<std::uint32_t> n = minimum_slots_by_seed(graph, *routing, "uniform", 3, 20, {});
  for (std::uint64_t i = 0; i < n.size(); ++i) {
    EXPECT_EQ(n[i], minimum_slots(graph, pattern_flows(graph, *routing, "uniform", 3 + i, {})).slots);
  }
}

RC_GTEST_PROP(PairLoads, CountTheRoutesOverEachLink, ()) {
  const test::Case c = test::draw_case();
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>(), "pairs");
  test::Pairs pairs;
  for (NodeId from = 0; from < c.graph.nodes(); ++from) {
    const auto to = static_cast<NodeId>(random.below(c.graph.nodes()));
    if (to != from) pairs.emplace_back(from, to);
  }
  std::map<LinkId, std::uint32_t> count;
  std::uint32_t most = 0;
  for (const auto& [from, to] : pairs) {
    for (const LinkId l : route(c.graph, *c.routing, from, to)) {
      const std::uint32_t width = c.graph.bundle_width(l);  // links of a bundle share their circuits
      most = std::max(most, (++count[c.graph.bundle_link(l)] + width - 1) / width);
    }
  }
  PairLoads loads(c.graph, *c.routing);
  RC_ASSERT(loads.largest(pairs) == most);
  RC_ASSERT(loads.largest(pairs) == most);  // nothing is left of the first call
  RC_ASSERT(loads.largest({}) == 0u);
}

// A run of switches in one direction is what single steps give.
RC_GTEST_PROP(CircuitRouting, StraightRunsAreSingleSteps, ()) {
  const bool torus = *rc::gen::arbitrary<bool>();
  const auto dims = *rc::gen::container<std::vector<std::uint32_t>>(3, rc::gen::inRange<std::uint32_t>(2, 7));
  const Graph graph = test::grid(dims, torus ? "torus" : "mesh");
  const auto routing = test::dimension_order(graph, {2, 0, 1});
  const auto from = *rc::gen::inRange<NodeId>(0, graph.nodes());
  const auto to = *rc::gen::inRange<NodeId>(0, graph.nodes());
  RC_PRE(from != to);
  std::vector<LinkId> steps{graph.injection_link(from)};
  for (SwitchId at = graph.attachment(from).sw; at != kNoId && steps.size() < 100;) {
    const PortId port = routing->next(at, to);
    steps.push_back(graph.out_link(at, port));
    at = graph.peer(at, port).sw;
  }
  RC_ASSERT(graph.node_at(graph.driver(steps.back()).sw, graph.driver(steps.back()).port) == to);
  RC_ASSERT(route(graph, *routing, from, to) == steps);
}

TEST(AllocateByEach, NeverBelowTheMinimumAndInTheOrderAsked) {
  const Graph graph = test::grid({8, 8});
  const auto routing = test::dimension_order(graph);
  const std::vector<Flow> flows = pattern_flows(graph, *routing, "perfect_shuffle", 1, {});
  const auto results =
      allocate_by_each(graph, flows, {&slot_allocators().at("search"), &slot_allocators().at("first_fit")}, 1000, 1);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].allocator, &slot_allocators().at("search"));
  EXPECT_EQ(results[0].allocation.slots_used, 4u);
  EXPECT_EQ(results[1].allocation.slots_used, 5u);
  EXPECT_EQ(allocate_by_each(graph, {}, slot_allocators().list(), 1000, 1).size(), 4u);
}

}  // namespace
}  // namespace weft
