#include "algorithms/slots/allocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

using test::dimension_order;
using test::flow;
using test::grid;

const Allocator* const kAllocators[] = {&slot_allocators().at("first_fit"), &slot_allocators().at("longest_first"),
                                        &slot_allocators().at("dsatur"), &slot_allocators().at("search")};

AllocationOptions options(const Allocator* allocator, std::uint32_t slots, bool slot_update = false) {
  AllocationOptions o;
  o.allocator = allocator;
  o.slots = slots;
  o.slot_update = slot_update;
  o.hop_latency = 3;
  o.search_iterations = 2000;
  return o;
}

/// The rules of allocation.h once more, in the plainest way: empty when they are kept.
std::string broken_rule(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& o,
                        const Allocation& allocation) {
  std::map<std::pair<LinkId, Slot>, std::size_t> owner;
  std::uint32_t highest = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    for (std::size_t t = 0; t < flows[f].trees.size(); ++t) {
      for (std::size_t e = 0; e < flows[f].trees[t].edges.size(); ++e) {
        const std::vector<Slot>& lanes = allocation.flows[f].lanes(t, e);
        if (lanes.size() != flows[f].slots) return "number of lanes";
        if (!o.slot_update && lanes != allocation.flows[f].lanes(0, 0)) return "another slot on another hop";
        if (!o.slot_update && !std::is_sorted(lanes.begin(), lanes.end())) return "slots not ascending";
        const LinkId own = flows[f].trees[t].edges[e].link;
        for (std::size_t k = 0; k < lanes.size(); ++k) {
          const Slot s = lanes[k];
          const LinkId link = allocation.flows[f].link(t, e, k, own);
          const auto ends = [&](LinkId l) {
            const PortRef from = graph.driver(l);
            return std::pair(from.sw, graph.peer(from.sw, from.port).sw);
          };
          if (link != own && ends(link) != ends(own)) return "link of another pair of switches";
          if (s >= o.slots) return "slot beyond the frame";
          if (!owner.emplace(std::pair(link, s), f).second) return "slot used twice";
          highest = std::max(highest, s + 1u);
        }
      }
    }
  }
  return highest == allocation.slots_used ? "" : "slots_used";
}

std::string message_of(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& o) {
  try {
    allocate(graph, flows, o);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

RC_GTEST_PROP(Allocation, EveryAllocatorKeepsTheRules, ()) {
  const test::Case c = test::draw_case();
  const std::uint32_t minimum = minimum_slots(c.graph, c.flows).slots;
  for (const Allocator* allocator : kAllocators) {
    const std::uint32_t enough = allocate_unbounded(c.graph, c.flows, options(allocator, 0)).slots_used;
    RC_ASSERT(enough >= minimum);
    // The number of slots that a refusal promises does suffice, and one fewer than the minimum never does.
    const AllocationOptions o = options(allocator, enough);
    const Allocation allocation = allocate(c.graph, c.flows, o);
    RC_ASSERT(broken_rule(c.graph, c.flows, o, allocation) == "");
    check_allocation(c.graph, c.flows, o, allocation);
    RC_ASSERT(allocation.slots_used <= enough);
    if (minimum > 1) RC_ASSERT_THROWS_AS(allocate(c.graph, c.flows, options(allocator, minimum - 1)), InputError);
  }
}

/// In a bundle a circuit of m slots needs m slot numbers of which some link has each free. Fewer than N are taken on
/// all links, so N + m always suffice; N do for m = 1.
std::uint32_t more_in_bundles(const test::Case& c) {
  std::uint32_t most = 1;
  for (const Flow& f : c.flows) most = std::max(most, f.slots);
  return c.graph.has_bundles() && most > 1 ? most : 0;
}

RC_GTEST_PROP(Allocation, SlotUpdateNeedsNoMoreThanTheMinimum, ()) {
  test::Case c = test::draw_case();
  if (*rc::gen::arbitrary<bool>()) {
    for (Flow& f : c.flows) f.slots = 1;
  }
  const std::uint32_t minimum = minimum_slots(c.graph, c.flows).slots;
  for (const Allocator* allocator : kAllocators) {
    const AllocationOptions o = options(allocator, minimum + more_in_bundles(c), true);
    const Allocation allocation = allocate(c.graph, c.flows, o);
    RC_ASSERT(broken_rule(c.graph, c.flows, o, allocation) == "");
    check_allocation(c.graph, c.flows, o, allocation);
    if (minimum > 1) RC_ASSERT_THROWS_AS(allocate(c.graph, c.flows, options(allocator, minimum - 1, true)), InputError);
  }
}

/// Follows the words of all lanes along a tree, from cycle to cycle: they must never change their order.
void check_word_order(const Flow& f, const FlowSlots& slots, std::size_t t, std::uint32_t frame, Cycle hop_latency) {
  std::vector<std::vector<Cycle>> sent(f.trees[t].edges.size());
  for (std::size_t e = 0; e < sent.size(); ++e) {
    const TreeEdge& edge = f.trees[t].edges[e];
    for (std::uint32_t k = 0; k < f.slots; ++k) {
      const Slot slot = slots.lanes(t, e)[k];
      if (edge.parent < 0) {
        sent[e].push_back(slot);
        continue;
      }
      const auto parent = static_cast<std::size_t>(edge.parent);
      const Cycle written = sent[parent][k] + (f.trees[t].edges[parent].parent < 0 ? 0 : hop_latency);
      Cycle leaves = written + 1;
      while (leaves % frame != slot) ++leaves;
      sent[e].push_back(leaves);
    }
    RC_ASSERT(std::adjacent_find(sent[e].begin(), sent[e].end(), std::greater_equal<>()) == sent[e].end());
    RC_ASSERT(sent[e].back() - sent[e].front() < frame);
  }
}

RC_GTEST_PROP(Allocation, WordsKeepTheirOrder, ()) {
  const test::Case c = test::draw_case();
  AllocationOptions o = options(&slot_allocators().at("first_fit"), 0, true);
  o.slots = minimum_slots(c.graph, c.flows).slots + more_in_bundles(c) + *rc::gen::inRange(0u, 10u);
  o.hop_latency = *rc::gen::inRange(0, 30);
  const Allocation allocation = allocate(c.graph, c.flows, o);
  for (std::size_t f = 0; f < c.flows.size(); ++f) {
    for (std::size_t t = 0; t < c.flows[f].trees.size(); ++t) {
      check_word_order(c.flows[f], allocation.flows[f], t, o.slots, o.hop_latency);
    }
  }
}

RC_GTEST_PROP(Allocation, TheCheckFindsDamage, ()) {
  const test::Case c = test::draw_case();
  AllocationOptions o = options(&slot_allocators().at("first_fit"), 0, *rc::gen::arbitrary<bool>());
  o.slots = allocate_unbounded(c.graph, c.flows, o).slots_used;
  Allocation allocation = allocate(c.graph, c.flows, o);
  const auto f = *rc::gen::inRange<std::size_t>(0, c.flows.size());
  auto& slots = o.slot_update ? allocation.flows[f].per_edge[0][0] : allocation.flows[f].common;
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      slots[0] = static_cast<Slot>(o.slots);
      break;
    case 1:
      slots.push_back(slots[0]);
      break;
    default:
      slots.clear();
  }
  RC_ASSERT_THROWS_AS(check_allocation(c.graph, c.flows, o, allocation), RunError);
}

TEST(Allocation, TheCheckFindsASlotWithTwoOwners) {
  const Graph graph = grid({4});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows = test::flow_per_pair(graph, *routing, {{0, 2}, {1, 3}});
  const AllocationOptions o = options(&slot_allocators().at("first_fit"), 4);
  Allocation allocation = allocate(graph, flows, o);
  allocation.flows[1].common = allocation.flows[0].common;
  try {
    check_allocation(graph, flows, o, allocation);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_STREQ(error.what(),
                 "slot allocation is wrong: flow '1' uses slot 0, which flow '0' has on link sw[1].port1 -> sw[2]");
  }
}

// FiC paper, Fig. 8: the pairs of one flow share a slot, the unicast from the same node takes another.
TEST(Allocation, Fig8Multicast) {
  const Graph graph = grid({4, 4});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows{flow(graph, *routing, "a", {{5, 0}, {5, 1}, {5, 2}}),
                                flow(graph, *routing, "b", {{5, 3}})};
  for (const Allocator* allocator : kAllocators) {
    const Allocation allocation = allocate(graph, flows, options(allocator, 8));
    EXPECT_EQ(allocation.flows[0].common.size(), 1u);
    EXPECT_NE(allocation.flows[0].common, allocation.flows[1].common);
    EXPECT_EQ(allocation.slots_used, 2u);
  }
}

TEST(Allocation, FirstFitTakesTheLowestSlotsInTheOrderGiven) {
  const Graph graph = grid({4});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows{flow(graph, *routing, "a", {{0, 1}}), flow(graph, *routing, "b", {{1, 3}}, 2),
                                flow(graph, *routing, "c", {{0, 3}}, 2), flow(graph, *routing, "d", {{2, 1}}, 3)};
  const Allocation given = allocate(graph, flows, options(&slot_allocators().at("first_fit"), 8));
  EXPECT_THAT(given.flows[0].common, testing::ElementsAre(0));
  EXPECT_THAT(given.flows[1].common, testing::ElementsAre(0, 1));
  EXPECT_THAT(given.flows[2].common, testing::ElementsAre(2, 3));
  EXPECT_THAT(given.flows[3].common, testing::ElementsAre(1, 2, 3));
  const Allocation longest = allocate(graph, flows, options(&slot_allocators().at("longest_first"), 8));
  EXPECT_THAT(longest.flows[2].common, testing::ElementsAre(0, 1));
  EXPECT_THAT(longest.flows[1].common, testing::ElementsAre(2, 3));
  EXPECT_THAT(longest.flows[0].common, testing::ElementsAre(2));
}

TEST(Allocation, SlotUpdateLeavesAtOnce) {
  const Graph graph = grid({4});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows{flow(graph, *routing, "a", {{0, 3}})};
  const Allocation allocation = allocate(graph, flows, options(&slot_allocators().at("first_fit"), 8, true));
  // Injected in 0; out in 1; each further switch gets it 3 cycles later and sends it in the next one.
  EXPECT_THAT(allocation.flows[0].per_edge[0],
              testing::ElementsAre(std::vector<Slot>{0}, std::vector<Slot>{1}, std::vector<Slot>{5},
                                   std::vector<Slot>{1}, std::vector<Slot>{5}));
}

TEST(Allocation, RefusalNamesFlowLinkAndHowManySlotsWouldDo) {
  const Graph graph = grid({4, 4});
  const auto routing = dimension_order(graph);
  const std::vector<Flow> flows = test::flow_per_pair(graph, *routing, {{0, 12}, {1, 8}, {2, 12}, {3, 8}, {4, 8}});
  EXPECT_EQ(message_of(graph, flows, options(&slot_allocators().at("first_fit"), 2)),
            "test.yaml:1:1: error: flow '2' (2 -> 12): no slot is free on every link of its route: link "
            "sw[0].port3 -> "
            "sw[4] is full (2 of 2 slots in use); 5 slots per frame would do");
  EXPECT_EQ(message_of(graph, flows, options(&slot_allocators().at("first_fit"), 5)), "");
  for (const Allocator* allocator : kAllocators) {
    EXPECT_THAT(message_of(graph, flows, options(allocator, 4)), testing::EndsWith("; 5 slots per frame would do"));
    EXPECT_THAT(message_of(graph, flows, options(allocator, 4, true)),
                testing::EndsWith("; 5 slots per frame would do"));
  }
}

TEST(Allocation, RefusalWithoutAFullLinkNamesTheLinkThatLeftTooFew) {
  const Graph graph = grid({3});
  const auto routing = dimension_order(graph);
  // a takes slot 0 at node 1, so b has slot 1 of 1 -> 2; c has slot 0 of 0 -> 1. d finds slot 1 there, slot 0
  // behind.
  std::vector<Flow> flows{flow(graph, *routing, "a", {{1, 0}}), flow(graph, *routing, "b", {{1, 2}}),
                          flow(graph, *routing, "c", {{0, 1}}), flow(graph, *routing, "d", {{0, 2}})};
  EXPECT_EQ(message_of(graph, flows, options(&slot_allocators().at("first_fit"), 2)),
            "test.yaml:1:1: error: flow 'd' (0 -> 2): no slot is free on every link of its route: link "
            "sw[1].port1 -> "
            "sw[2] has only 1 of 2 slots free, none that the links before it have free too; 3 slots per "
            "frame would do");
  EXPECT_EQ(message_of(graph, flows, options(&slot_allocators().at("first_fit"), 3)), "");
  EXPECT_EQ(message_of(graph, flows, options(&slot_allocators().at("first_fit"), 2, true)), "");
  EXPECT_EQ(message_of(graph, flows, options(&slot_allocators().at("search"), 2)), "");

  flows[3] = flow(graph, *routing, "d", {{0, 2}}, 2);
  EXPECT_EQ(message_of(graph, flows, options(&slot_allocators().at("first_fit"), 3)),
            "test.yaml:1:1: error: flow 'd' (0 -> 2): it asks for 2 slots, but fewer are free on every link "
            "of its route: "
            "link sw[1].port1 -> sw[2] has only 2 of 3 slots free, too few that the links before it have "
            "free too; 4 "
            "slots per frame would do");
  EXPECT_EQ(message_of(graph, flows, options(&slot_allocators().at("first_fit"), 2)),
            "test.yaml:1:1: error: flow 'd' (0 -> 2): it asks for 2 slots, but fewer are free on every link "
            "of its route: "
            "link node 0 -> sw[0] has only 1 of 2 slots free; 4 slots per frame would do");
}

TEST(Allocation, FrameOfNoSlotsIsRefused) {
  const Graph graph = grid({2});
  EXPECT_EQ(message_of(graph, {}, options(&slot_allocators().at("first_fit"), 0)),
            "error: a frame has 1 to 65535 slots, not 0");
  EXPECT_EQ(allocate(graph, {}, options(&slot_allocators().at("search"), 1)).slots_used, 0u);
  EXPECT_EQ(allocate_unbounded(graph, {}, options(&slot_allocators().at("first_fit"), 0)).slots_used, 0u);
}

RC_GTEST_PROP(Allocation, SameInputSameResult, ()) {
  const test::Case c = test::draw_case();
  for (const Allocator* allocator : kAllocators) {
    const Allocation first = allocate_unbounded(c.graph, c.flows, options(allocator, 0));
    const Allocation second = allocate_unbounded(c.graph, c.flows, options(allocator, 0));
    for (std::size_t f = 0; f < c.flows.size(); ++f) RC_ASSERT(first.flows[f].common == second.flows[f].common);
  }
}

}  // namespace
}  // namespace weft
