#include "algorithms/slots/slot_lut.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <stdexcept>

#include "algorithms/slots/slot_lut_bank.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

SlotSet slots(std::uint32_t count, std::vector<Slot> list) { return make_slot_set(count, list); }

TEST(SlotLut, QueryAndsAndChangesNothing) {
  SlotLut lut(2, 8);
  ASSERT_TRUE(lut.request({SlotLutOp::reserve, 1, slots(8, {0, 1, 4})}).ok);
  const SlotLutResponse answer = lut.request({SlotLutOp::query, 1, slots(8, {1, 3, 4, 6})});
  EXPECT_TRUE(answer.ok);
  EXPECT_EQ(answer.free, slots(8, {3, 6}));
  EXPECT_EQ(answer.first, Slot{3});
  EXPECT_EQ(lut.free(1), slots(8, {2, 3, 5, 6, 7}));
  const SlotLutResponse reject = lut.request({SlotLutOp::query, 1, slots(8, {0, 4})});
  EXPECT_FALSE(reject.ok);
  EXPECT_TRUE(reject.free.none());
  EXPECT_EQ(reject.first, std::nullopt);
}

TEST(SlotLut, RowsAreIndependent) {
  SlotLut lut(3, 4);
  ASSERT_TRUE(lut.request({SlotLutOp::reserve, 2, slots(4, {0})}).ok);
  for (std::uint32_t row = 0; row < 6; ++row) EXPECT_EQ(lut.free(row).test(0), row != 2);
  EXPECT_TRUE(lut.request({SlotLutOp::reserve, 5, slots(4, {0})}).ok);  // last row: input side of port 2
}

TEST(SlotLut, ReserveIsAllOrNothing) {
  SlotLut lut(1, 8);
  ASSERT_TRUE(lut.request({SlotLutOp::reserve, 0, slots(8, {2})}).ok);
  const SlotLutResponse answer = lut.request({SlotLutOp::reserve, 0, slots(8, {1, 2, 3})});
  EXPECT_FALSE(answer.ok);
  EXPECT_EQ(answer.free, slots(8, {1, 3}));
  EXPECT_EQ(answer.first, Slot{1});
  EXPECT_EQ(lut.free(0).count(), 7u);
  EXPECT_FALSE(lut.request({SlotLutOp::reserve, 0, slots(8, {})}).ok);
}

TEST(SlotLut, ReleaseOfWhatIsFreeIsRefused) {
  SlotLut lut(1, 8);
  ASSERT_TRUE(lut.request({SlotLutOp::reserve, 0, slots(8, {2, 5})}).ok);
  EXPECT_FALSE(lut.request({SlotLutOp::release, 0, slots(8, {2, 3})}).ok);
  EXPECT_FALSE(lut.request({SlotLutOp::release, 0, slots(8, {})}).ok);
  EXPECT_EQ(lut.free(0).count(), 6u);
  EXPECT_TRUE(lut.request({SlotLutOp::release, 0, slots(8, {2, 5})}).ok);
  EXPECT_EQ(lut.free(0).count(), 8u);
}

TEST(SlotLut, WrongRowOrWidthThrows) {
  SlotLut lut(2, 8);
  EXPECT_THROW(lut.request({SlotLutOp::query, 4, all_slots(8)}), std::invalid_argument);
  EXPECT_THROW(lut.request({SlotLutOp::query, 0, all_slots(7)}), std::invalid_argument);
}

RC_GTEST_PROP(SlotLut, FollowsASetPerRow, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 140);  // more than two machine words
  constexpr std::uint32_t kPorts = 2;
  SlotLut lut(kPorts, count);
  std::vector<std::set<Slot>> free(2 * kPorts);
  for (auto& row : free) {
    for (std::uint32_t s = 0; s < count; ++s) row.insert(static_cast<Slot>(s));
  }
  const auto steps = *rc::gen::inRange(0, 40);
  for (int i = 0; i < steps; ++i) {
    const auto op = *rc::gen::element(SlotLutOp::query, SlotLutOp::reserve, SlotLutOp::release);
    const auto row = *rc::gen::inRange<std::uint32_t>(0, 2 * kPorts);
    const auto most = static_cast<Slot>(*rc::gen::element(count, std::min(count, 6u)));  // small ones meet more often
    const auto drawn = *rc::gen::container<std::vector<Slot>>(rc::gen::inRange<Slot>(0, most));
    const std::set<Slot> mask(drawn.begin(), drawn.end());
    const SlotLutResponse answer = lut.request({op, row, make_slot_set(count, {mask.begin(), mask.end()})});
    std::set<Slot> both;
    for (const Slot s : mask) {
      if (free[row].count(s) > 0) both.insert(s);
    }
    RC_ASSERT(answer.free == make_slot_set(count, {both.begin(), both.end()}));
    RC_ASSERT(answer.first == (both.empty() ? std::nullopt : std::optional<Slot>(*both.begin())));
    bool ok = !both.empty();
    if (op == SlotLutOp::reserve) {
      ok = !mask.empty() && both == mask;
      if (ok)
        for (const Slot s : mask) free[row].erase(s);
    } else if (op == SlotLutOp::release) {
      ok = !mask.empty() && both.empty();
      if (ok) free[row].insert(mask.begin(), mask.end());
    }
    RC_ASSERT(answer.ok == ok);
    for (std::uint32_t r = 0; r < 2 * kPorts; ++r) {
      RC_ASSERT(lut.free(r) == make_slot_set(count, {free[r].begin(), free[r].end()}));
    }
  }
}

// FiC paper, Fig. 7: the vector of the previous switch is ANDed with the switch's own, hop by hop.
TEST(SlotLutBank, Fig7AndAlongTheRoute) {
  const Graph graph = test::grid({3});
  const auto routing = test::dimension_order(graph);
  SlotLutBank luts(graph, 4);
  luts.reserve(graph.out_link(0, 1), slots(4, {0}));
  luts.reserve(graph.out_link(1, 1), slots(4, {1}));
  SlotSet vector = luts.query(graph.injection_link(0), luts.all());
  EXPECT_EQ(vector, slots(4, {0, 1, 2, 3}));
  vector = luts.query(graph.out_link(0, 1), vector);
  EXPECT_EQ(vector, slots(4, {1, 2, 3}));
  vector = luts.query(graph.out_link(1, 1), vector);
  EXPECT_EQ(vector, slots(4, {2, 3}));
  const Flow flow = test::flow(graph, *routing, "0", {{0, 2}});
  EXPECT_EQ(luts.query(flow), slots(4, {2, 3}));
  luts.reserve(graph.out_link(2, 0), slots(4, {2, 3}));
  EXPECT_TRUE(luts.query(flow).none());  // reject: it waits for a release
  luts.release(graph.out_link(2, 0), slots(4, {3}));
  EXPECT_EQ(luts.query(flow), slots(4, {3}));
}

/// Slot that first fit gives a pair, reserved on its route.
Slot set_up(SlotLutBank& luts, const Flow& flow) {
  const SlotSet free = luts.query(flow);
  const auto slot = static_cast<Slot>(free.find_first());
  luts.reserve(flow, make_slot_set(luts.slots(), {slot}));
  return slot;
}

// FiC paper, Fig. 9: slots are released for later flows; two flows to one node never share a slot.
TEST(SlotLutBank, Fig9ReleaseAndReuse) {
  const Graph graph = test::grid({4, 4});
  const auto routing = test::dimension_order(graph);
  const auto pair = [&](NodeId from, NodeId to) { return test::flow(graph, *routing, "f", {{from, to}}); };
  SlotLutBank luts(graph, 4);
  EXPECT_EQ(set_up(luts, pair(3, 4)), 0);
  EXPECT_EQ(set_up(luts, pair(2, 5)), 1);  // shares 2 -> 1
  luts.release(pair(3, 4), slots(4, {0}));
  luts.release(pair(2, 5), slots(4, {1}));
  EXPECT_EQ(set_up(luts, pair(0, 12)), 0);

  EXPECT_EQ(set_up(luts, pair(5, 10)), 0);
  EXPECT_EQ(set_up(luts, pair(11, 14)), 0);
  EXPECT_EQ(set_up(luts, pair(7, 14)), 1);
  EXPECT_EQ(set_up(luts, pair(9, 14)), 2);
  luts.release(pair(5, 10), slots(4, {0}));
  luts.release(pair(7, 14), slots(4, {1}));
  luts.release(pair(9, 14), slots(4, {2}));
  EXPECT_EQ(set_up(luts, pair(5, 14)), 1);  // 11 -> 14 still has slot 0
}

TEST(SlotLutBank, FlowsToOneNodeExcludeEachOtherThoughTheirRoutesShareNoOtherLink) {
  const Graph graph = test::grid({4, 4});
  const auto routing = test::dimension_order(graph);
  SlotLutBank luts(graph, 4);
  EXPECT_EQ(set_up(luts, test::flow(graph, *routing, "a", {{13, 14}})), 0);
  EXPECT_EQ(set_up(luts, test::flow(graph, *routing, "b", {{10, 14}})), 1);
  // And flows from one node.
  EXPECT_EQ(set_up(luts, test::flow(graph, *routing, "c", {{0, 1}})), 0);
  EXPECT_EQ(set_up(luts, test::flow(graph, *routing, "d", {{0, 4}})), 1);
}

TEST(SlotLutBank, WhatALutRefusesIsARunError) {
  const Graph graph = test::grid({2});
  SlotLutBank luts(graph, 2);
  luts.reserve(graph.out_link(0, 1), slots(2, {0}));
  EXPECT_THROW(luts.reserve(graph.out_link(0, 1), slots(2, {0})), RunError);
  EXPECT_THROW(luts.release(graph.out_link(0, 1), slots(2, {1})), RunError);
}

}  // namespace
}  // namespace weft
