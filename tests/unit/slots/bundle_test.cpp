// Bundles: parallel links between two switches whose slots circuits share.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithms/slots/allocation.h"
#include "algorithms/slots/circuit_plan.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

using test::dimension_order;
using test::flow;

/// Line of two switches with `nodes` nodes each and `width` links between them; node n is at port n mod nodes.
Graph two_switches(PortId nodes, PortId width) {
  Graph graph("two switches");
  for (int s = 0; s < 2; ++s) graph.add_switch(static_cast<PortId>(nodes + width));
  for (SwitchId s = 0; s < 2; ++s) {
    for (PortId p = 0; p < nodes; ++p) graph.attach_node({s, p});
  }
  for (PortId l = 0; l < width; ++l) {
    graph.connect({0, static_cast<PortId>(nodes + l)}, {1, static_cast<PortId>(nodes + l)});
  }
  return graph;
}

AllocationOptions bundle_options(const char* allocator, std::uint32_t slots, bool slot_update = false) {
  AllocationOptions o;
  o.allocator = &slot_allocators().at(allocator);
  o.slots = slots;
  o.slot_update = slot_update;
  o.search_iterations = 2000;
  return o;
}

/// One circuit from each node of switch 0 to the node opposite.
std::vector<Flow> across(const Graph& graph, const CircuitRouting& routing, std::uint32_t slots = 1) {
  std::vector<Flow> flows;
  for (NodeId n = 0; n < graph.nodes() / 2; ++n) {
    flows.push_back(flow(graph, routing, std::to_string(n), {{n, n + graph.nodes() / 2}}, slots));
  }
  return flows;
}

TEST(Bundle, ParallelLinksAreFound) {
  Graph graph = two_switches(2, 3);
  EXPECT_FALSE(graph.has_bundles());
  EXPECT_TRUE(graph.bundle(graph.out_link(0, 3)).empty());
  graph.join_parallel_links();
  EXPECT_THAT(graph.bundle(graph.out_link(0, 3)), testing::ElementsAre(2, 3, 4));
  EXPECT_EQ(graph.bundle_link(graph.out_link(0, 4)), 2u);
  EXPECT_TRUE(graph.bundle(graph.out_link(0, 1)).empty()) << "an ejection link";
  EXPECT_TRUE(graph.bundle(graph.injection_link(1)).empty());
  EXPECT_EQ(graph.bundle_name(3), "bundle of 3 links sw[0].port2 -> sw[1]");
  EXPECT_EQ(graph.bundle_name(graph.injection_link(1)), "link node 1 -> sw[0]");
}

// n circuits of one slot over w links: ceil(n / w) slots, whatever the allocator, and one fewer is refused.
TEST(Bundle, CircuitsNeedTheirShareOfTheLinks) {
  for (const PortId width : {1, 2, 3, 5}) {
    for (const PortId nodes : {1, 4, 7}) {
      Graph graph = two_switches(nodes, width);
      graph.join_parallel_links();
      const auto routing = test::shortest_path(graph);
      const std::vector<Flow> flows = across(graph, *routing);
      const std::uint32_t needed = (nodes + width - 1u) / width;
      EXPECT_EQ(minimum_slots(graph, flows).slots, needed);
      for (const char* allocator : {"first_fit", "longest_first", "dsatur", "search"}) {
        for (const bool update : {false, true}) {
          const AllocationOptions o = bundle_options(allocator, needed, update);
          const Allocation found = allocate(graph, flows, o);
          check_allocation(graph, flows, o, found);
          if (needed > 1) {
            EXPECT_THROW(allocate(graph, flows, bundle_options(allocator, needed - 1, update)), InputError);
          }
        }
        EXPECT_EQ(allocate_unbounded(graph, flows, bundle_options(allocator, 0)).slots_used, needed) << allocator;
      }
    }
  }
}

// Slots 0 and 1 are taken on one link each; a circuit of two slots still fits into a frame of two, on both links.
TEST(Bundle, SlotsOfOneCircuitLieOnSeveralLinks) {
  Graph graph("line");
  for (int s = 0; s < 2; ++s) graph.add_switch(5);
  for (SwitchId s = 0; s < 2; ++s) {
    for (PortId p = 0; p < 3; ++p) graph.attach_node({s, p});
  }
  graph.connect({0, 3}, {1, 3});
  graph.connect({0, 4}, {1, 4});
  graph.join_parallel_links();
  const auto routing = test::shortest_path(graph);
  std::vector<Flow> flows{flow(graph, *routing, "a", {{0, 3}}), flow(graph, *routing, "b", {{1, 3}}),
                          flow(graph, *routing, "c", {{2, 5}}, 2)};
  const AllocationOptions o = bundle_options("first_fit", 2);
  const Allocation found = allocate(graph, flows, o);
  check_allocation(graph, flows, o, found);
  EXPECT_EQ(found.flows[0].common, std::vector<Slot>{0});
  EXPECT_EQ(found.flows[1].common, std::vector<Slot>{1}) << "a and b end at one node";
  EXPECT_EQ(found.flows[2].common, (std::vector<Slot>{0, 1}));
  EXPECT_THAT(found.flows[2].links[0][1], testing::ElementsAre(4, 4)) << "both lie on the second link";
  // Once more with c first: it takes the first link, the others find the second one.
  std::rotate(flows.begin(), flows.begin() + 2, flows.end());
  const Allocation other = allocate(graph, flows, o);
  EXPECT_THAT(other.flows[0].links[0][1], testing::ElementsAre(3, 3));
  // d and e have slot 0 of both links, f slot 1 of the first: c takes slot 1 of the second and slot 2 of the first.
  flows = {flow(graph, *routing, "d", {{0, 3}}), flow(graph, *routing, "e", {{1, 4}}),
           flow(graph, *routing, "f", {{1, 3}}), flow(graph, *routing, "c", {{2, 5}}, 2)};
  const Allocation mixed = allocate(graph, flows, bundle_options("first_fit", 3));
  EXPECT_EQ(mixed.flows[3].common, (std::vector<Slot>{1, 2}));
  EXPECT_THAT(mixed.flows[3].links[0][1], testing::ElementsAre(4, 3));
}

// Timing does not depend on the links: same slots, same transit as without a bundle.
TEST(Bundle, TransitIsThatOfASingleLink) {
  Graph single = two_switches(1, 1);
  Graph wide = two_switches(1, 4);
  wide.join_parallel_links();
  const TdmTiming timing{8, 2, 3, {}};
  for (const bool update : {false, true}) {
    AllocationOptions o = bundle_options("first_fit", 8, update);
    o.hop_latency = timing.link();
    const auto transit = [&](const Graph& graph) {
      const auto routing = test::shortest_path(graph);
      return make_phase_plan(graph, "p", across(graph, *routing, 3), o, timing, 0).circuits[0].transit;
    };
    EXPECT_EQ(transit(single), transit(wide));
  }
}

TEST(Bundle, TheCheckFindsForeignLinksAndTwoWordsInOneCycle) {
  Graph graph = two_switches(2, 2);
  graph.join_parallel_links();
  const auto routing = test::shortest_path(graph);
  const std::vector<Flow> flows = across(graph, *routing, 2);
  AllocationOptions o = bundle_options("first_fit", 4, true);
  Allocation found = allocate(graph, flows, o);
  found.flows[0].links[0][1][0] = graph.out_link(0, 0);
  EXPECT_THROW(check_allocation(graph, flows, o, found), RunError) << "an ejection link";
  found = allocate(graph, flows, o);
  found.flows[0].links[0][1] = {2, 3};
  found.flows[0].per_edge[0][1] = {3, 3};
  EXPECT_THROW(check_allocation(graph, flows, o, found), RunError) << "one slot, two links";
}

// The bundles of a grid with trunks: every pattern of Table 1 that is not random needs its share of slots.
TEST(Bundle, PatternsOnGridsNeedTheirShare) {
  const auto slots_of = [](std::uint32_t trunk) {
    Graph graph =
        build_topology(topology_config("mesh", {{"dims", std::vector<std::uint32_t>{8, 8}}, {"trunk", trunk}}));
    graph.join_parallel_links();
    const auto routing = dimension_order(graph);
    test::Pairs pairs;  // matrix transpose, as Table 1: 7 circuits on a link
    for (NodeId n = 0; n < 64; ++n) {
      if (n / 8 != n % 8) pairs.emplace_back(n, n % 8 * 8 + n / 8);
    }
    const std::vector<Flow> flows = test::flow_per_pair(graph, *routing, pairs);
    EXPECT_EQ(allocate_unbounded(graph, flows, bundle_options("search", 0)).slots_used,
              minimum_slots(graph, flows).slots);
    return minimum_slots(graph, flows).slots;
  };
  EXPECT_EQ(slots_of(1), 7u);
  EXPECT_EQ(slots_of(2), 4u);
  EXPECT_EQ(slots_of(3), 3u);
  EXPECT_EQ(slots_of(7), 1u);
}

// Nodes with two links, and two links between switches: the units of a circuit share no link, but each has a slot of
// its own, whatever the allocator.
TEST(Bundle, UnitsOfACircuitHaveDifferentSlotsOnLinksOfANode) {
  for (const char* allocator : {"first_fit", "longest_first", "dsatur", "search"}) {
    Graph graph("pair", 2);
    for (SwitchId s = 0; s < 2; ++s) graph.attach_node({graph.add_switch(4), 0});
    for (const PortId p : {PortId{2}, PortId{3}}) graph.connect({0, p}, {1, p});
    graph.join_parallel_links();
    EXPECT_THAT(graph.bundle(graph.injection_link(1)),
                testing::ElementsAre(graph.injection_link(1, 0), graph.injection_link(1, 1)));
    EXPECT_EQ(graph.link_count(), 2U * 4 + 2 * 2);
    for (LinkId l = graph.total_ports(); l < graph.link_count(); ++l) EXPECT_EQ(graph.other_way(graph.other_way(l)), l);
    EXPECT_EQ(graph.link_name(graph.injection_link(1, 1)), "node 1 -> sw[1].port1");
    const auto routing = test::shortest_path(graph);
    const std::vector<Flow> flows{flow(graph, *routing, "a", {{0, 1}}, 3), flow(graph, *routing, "b", {{0, 1}}, 2),
                                  flow(graph, *routing, "c", {{1, 0}}, 2)};
    EXPECT_EQ(minimum_slots(graph, flows).slots, 3U) << "five on two links";
    const AllocationOptions o = bundle_options(allocator, 3);
    const Allocation found = allocate(graph, flows, o);
    check_allocation(graph, flows, o, found);
    EXPECT_EQ(found.slots_used, 3U);
    EXPECT_THROW(allocate(graph, flows, bundle_options(allocator, 2)), InputError);
  }
}

}  // namespace
}  // namespace weft
