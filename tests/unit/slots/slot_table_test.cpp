#include "algorithms/slots/slot_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "algorithms/slots/allocation.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

using test::dimension_order;
using test::flow;
using test::grid;

Allocation allocated(const Graph& graph, const std::vector<Flow>& flows, std::uint32_t slots,
                     bool slot_update = false) {
  AllocationOptions options;
  options.slots = slots;
  options.slot_update = slot_update;
  options.hop_latency = 2;
  return allocate(graph, flows, options);
}

// FiC paper, Fig. 11: input 0 sends B to output 0 in S0 and A to output 1 in S1; input 1 sends D to output 1
// in S0 and C to output 0 in S1. Ports here are full duplex: the figure's inputs are ports 2 and 3.
TEST(SlotTable, Fig11) {
  Graph graph("2x2");
  graph.add_switch(4);
  for (PortId p = 0; p < 4; ++p) graph.attach_node({0, p});
  const auto routing = test::shortest_path(graph);
  const std::vector<Flow> flows = test::flow_per_pair(graph, *routing, {{2, 0}, {2, 1}, {3, 1}, {3, 0}});
  const std::vector<SlotTable> tables = make_slot_tables(graph, flows, allocated(graph, flows, 2), 2);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].at(0, 0), (SlotTableEntry{2, 0}));
  EXPECT_EQ(tables[0].at(1, 1), (SlotTableEntry{2, 1}));
  EXPECT_EQ(tables[0].at(1, 0), (SlotTableEntry{3, 0}));
  EXPECT_EQ(tables[0].at(0, 1), (SlotTableEntry{3, 1}));
  EXPECT_TRUE(tables[0].at(2, 0).idle());
  EXPECT_EQ(tables[0].ports(), 4);
  EXPECT_EQ(tables[0].slots(), 2u);
}

TEST(SlotTable, TwoClaimsOnOneEntryAreABug) {
  const Graph graph = grid({3});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows = test::flow_per_pair(graph, *routing, {{0, 2}, {1, 2}});
  Allocation allocation = allocated(graph, flows, 2);
  allocation.flows[1].common = {0};
  EXPECT_THROW(slot_tables_csv(graph, flows, allocation, 2), RunError);
  EXPECT_THROW(slot_tables_text(graph, flows, allocation, 2), RunError);
  try {
    make_slot_tables(graph, flows, allocation, 2);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_STREQ(error.what(), "slot table of sw[1]: port 1 slot 0 is claimed twice, the second time by flow '1'");
  }
}

/// Hosts that get the word a node sends in a slot, by reading the tables alone.
std::multiset<NodeId> reached(const Graph& graph, const std::vector<SlotTable>& tables, PortRef in, Slot slot) {
  std::multiset<NodeId> nodes;
  for (PortId out = 0; out < graph.ports(in.sw); ++out) {
    for (std::uint32_t s = 0; s < tables[in.sw].slots(); ++s) {
      if (tables[in.sw].at(out, static_cast<Slot>(s)) != SlotTableEntry{in.port, slot}) continue;
      if (const NodeId n = graph.node_at(in.sw, out); n != kNoId) {
        nodes.insert(n);
        continue;
      }
      const std::multiset<NodeId> further = reached(graph, tables, graph.peer(in.sw, out), static_cast<Slot>(s));
      nodes.insert(further.begin(), further.end());
    }
  }
  return nodes;
}

RC_GTEST_PROP(SlotTable, TablesAloneBringEveryWordToItsDestinations, ()) {
  const test::Case c = test::draw_case();
  const bool slot_update = *rc::gen::arbitrary<bool>();
  AllocationOptions options;
  const std::uint32_t slots = allocate_unbounded(c.graph, c.flows, options).slots_used;
  const Allocation allocation = allocated(c.graph, c.flows, slots, slot_update);
  const std::vector<SlotTable> tables = make_slot_tables(c.graph, c.flows, allocation, slots);
  std::size_t used = 0;
  for (const SlotTable& table : tables) {
    for (PortId out = 0; out < table.ports(); ++out) {
      for (std::uint32_t s = 0; s < slots; ++s) used += table.at(out, static_cast<Slot>(s)).idle() ? 0 : 1;
    }
  }
  std::size_t expected = 0;
  for (std::size_t f = 0; f < c.flows.size(); ++f) {
    for (std::size_t t = 0; t < c.flows[f].trees.size(); ++t) {
      const CircuitTree& tree = c.flows[f].trees[t];
      expected += (tree.edges.size() - 1) * c.flows[f].slots;
      const std::multiset<NodeId> destinations(tree.destinations.begin(), tree.destinations.end());
      for (const Slot s : allocation.flows[f].lanes(t, 0)) {
        RC_ASSERT(reached(c.graph, tables, c.graph.attachment(tree.source), s) == destinations);
      }
    }
  }
  RC_ASSERT(used == expected);
  const std::string csv = slot_tables_csv(c.graph, c.flows, allocation, slots);
  RC_ASSERT(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == used + 1);
}

std::vector<Flow> figure_13_flows(const Graph& graph, const CircuitRouting& routing) {
  Diagnostics diagnostics;
  const auto job_flow = [&](const char* name, const char* job, const test::Pairs& pairs) {
    return make_flow(graph, routing, name, job, 1, pairs, {}, diagnostics);
  };
  std::vector<Flow> flows{job_flow("0", "1", {{0, 1}, {0, 4}}), job_flow("1", "2", {{5, 2}}),
                          job_flow("x,\"y\"", "", {{1, 2}})};
  diagnostics.throw_if_errors();
  return flows;
}

TEST(SlotTable, TextLikeFig13) {
  const Graph graph = grid({4, 4});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows = figure_13_flows(graph, *routing);
  EXPECT_EQ(slot_tables_text(graph, flows, allocated(graph, flows, 4), 4), R"(=== Path of each pair ===
Pair ID 0 (Flow ID 0, Job 1):
SW 0 (port 0->1) - [slot 0] -> SW 1 (port 2->0)
Pair ID 1 (Flow ID 0, Job 1):
SW 0 (port 0->3) - [slot 0] -> SW 4 (port 4->0)
Pair ID 2 (Flow ID 1, Job 2):
SW 5 (port 0->1) - [slot 0] -> SW 6 (port 2->4) - [slot 0] -> SW 2 (port 3->0)
Pair ID 3 (Flow ID x,"y"):
SW 1 (port 0->1) - [slot 1] -> SW 2 (port 2->0)

=== Port information for each switch ===
SW 0:
Port 0 (Slot 0) --> Port 1 (Slot 0), from node 0 to node 1 (Pair ID 0, Flow ID 0, Job 1)
Port 0 (Slot 0) --> Port 3 (Slot 0), from node 0 to node 4 (Pair ID 1, Flow ID 0, Job 1)
SW 1:
Port 2 (Slot 0) --> Port 0 (Slot 0), from node 0 to node 1 (Pair ID 0, Flow ID 0, Job 1)
Port 0 (Slot 1) --> Port 1 (Slot 1), from node 1 to node 2 (Pair ID 3, Flow ID x,"y")
SW 2:
Port 3 (Slot 0) --> Port 0 (Slot 0), from node 5 to node 2 (Pair ID 2, Flow ID 1, Job 2)
Port 2 (Slot 1) --> Port 0 (Slot 1), from node 1 to node 2 (Pair ID 3, Flow ID x,"y")
SW 4:
Port 4 (Slot 0) --> Port 0 (Slot 0), from node 0 to node 4 (Pair ID 1, Flow ID 0, Job 1)
SW 5:
Port 0 (Slot 0) --> Port 1 (Slot 0), from node 5 to node 2 (Pair ID 2, Flow ID 1, Job 2)
SW 6:
Port 2 (Slot 0) --> Port 4 (Slot 0), from node 5 to node 2 (Pair ID 2, Flow ID 1, Job 2)
)");
}

TEST(SlotTable, Csv) {
  const Graph graph = grid({4, 4});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows = figure_13_flows(graph, *routing);
  EXPECT_EQ(slot_tables_csv(graph, flows, allocated(graph, flows, 4), 4),
            R"(switch,out_port,out_slot,in_port,in_slot,source,destinations,flow,job
0,1,0,0,0,0,1,0,1
0,3,0,0,0,0,4,0,1
1,0,0,2,0,0,1,0,1
1,1,1,0,1,1,2,"x,""y""",
2,0,0,3,0,5,2,1,2
2,0,1,2,1,1,2,"x,""y""",
4,0,0,4,0,0,4,0,1
5,1,0,0,0,5,2,1,2
6,4,0,2,0,5,2,1,2
)");
}

TEST(SlotTable, MulticastAndSeveralLanes) {
  const Graph graph = grid({3});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows{flow(graph, *routing, "m", {{0, 1}, {0, 2}}, 2)};
  const Allocation allocation = allocated(graph, flows, 8, true);
  const std::string text = slot_tables_text(graph, flows, allocation, 8);
  EXPECT_THAT(
      text, testing::HasSubstr("SW 0 (port 0->1) - [slots 1 2] -> SW 1 (port 2->1) - [slots 4 5] -> SW 2 (port 2->0)"));
  EXPECT_THAT(text,
              testing::HasSubstr("Port 0 (Slot 1) --> Port 1 (Slot 2), from node 0 to node 1 (Pair ID 0, Flow ID m)\n"
                                 "Port 0 (Slot 1) --> Port 1 (Slot 2), from node 0 to node 2 (Pair ID 1, Flow ID m)"));
  EXPECT_THAT(slot_tables_csv(graph, flows, allocation, 8), testing::HasSubstr("0,1,1,0,0,0,1 2,m,\n"));
}

}  // namespace
}  // namespace weft
