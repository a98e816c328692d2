// Slots over wavelengths and planes: every slot in a place of its own, rings counted another way, and what the
// regularity of the groups saves.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "algorithms/alltoall/groups.h"
#include "algorithms/alltoall/wdm.h"

namespace weft::alltoall {
namespace {

constexpr Assignment kAll[] = {Assignment::in_order, Assignment::round_robin, Assignment::random, Assignment::regular};

ChannelPlan plan_of(const GroupsSchedule& s, std::uint32_t wavelengths, std::uint32_t planes, std::uint32_t time_slots,
                    Assignment a) {
  return assign_channels(s.schedule, &s, wavelengths, planes, time_slots, a, 1);
}

void expect_places_of_their_own(const GroupsSchedule& s, std::uint32_t w, std::uint32_t p, Assignment a) {
  const ChannelPlan plan = plan_of(s, w, p, 0, a);
  EXPECT_EQ(plan.time_slots, (s.schedule.slots + w * p - 1) / (w * p));
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> places;
  for (std::uint32_t slot = 0; slot < s.schedule.slots; ++slot) {
    EXPECT_LT(plan.time[slot], plan.time_slots);
    EXPECT_LT(plan.wavelength(slot), w);
    EXPECT_LT(plan.plane(slot), p);
    EXPECT_TRUE(places.insert({plan.time[slot], plan.wavelength(slot), plan.plane(slot)}).second);
  }
}

// Lines too, which have no groups to cut into bands.
TEST(AllToAllWdm, EverySlotHasAPlaceOfItsOwn) {
  for (const Grid& grid : {Grid{6, 5}, Grid{8, 1}, Grid{1, 7}, Grid{7, 1, true}}) {
    const GroupsSchedule s = make_groups(grid);
    for (const Assignment a : kAll) {
      for (const auto& [w, p] : {std::pair{1U, 1U}, {4U, 1U}, {1U, 3U}, {5U, 2U}, {100U, 2U}}) {
        expect_places_of_their_own(s, w, p, a);
      }
    }
  }
}

TEST(AllToAllWdm, ABoundOnTimeSlotsUsesFewestChannels) {
  const GroupsSchedule s = make_groups({8, 8});  // 140 slots
  for (const Assignment a : kAll) {
    const ChannelPlan plan = plan_of(s, 4, 2, 30, a);
    EXPECT_EQ(plan.time_slots, 30U);
    const std::set<std::uint32_t> used(plan.channel.begin(), plan.channel.end());
    EXPECT_EQ(used.size(), 5U);
    EXPECT_EQ(*used.rbegin(), 4U);
  }
  for (const Assignment a : kAll) EXPECT_EQ(plan_of(s, 1, 1, 1000, a).time_slots, 140U);
  EXPECT_EQ(channels_needed(140, 30), 5U);
  EXPECT_EQ(channels_needed(140, 28), 5U);
  EXPECT_EQ(channels_needed(140, 27), 6U);
  EXPECT_THROW(plan_of(s, 2, 2, 34, Assignment::regular), std::invalid_argument);
}

// Rings from the routes as lists of nodes: (router, channel, where from, where to).
std::uint64_t rings_by_nodes(const Schedule& s, const ChannelPlan& plan) {
  using Node = std::int64_t;
  const Node width = s.grid.width, nodes = s.grid.nodes();
  std::set<std::tuple<std::uint32_t, Node, Node, Node>> rings;
  for (Node from = 0; from < nodes; ++from) {
    for (Node to = 0; to < nodes; ++to) {
      if (from == to) continue;
      std::vector<Node> route{-1, from};
      while (route.back() % width != to % width)
        route.push_back(route.back() + (to % width > route.back() % width ? 1 : -1));
      while (route.back() != to) route.push_back(route.back() + (to > route.back() ? width : -width));
      route.push_back(-1);
      const std::uint32_t channel = plan.channel[s.slot_of[static_cast<std::size_t>(from * nodes + to)]];
      for (std::size_t k = 1; k + 1 < route.size(); ++k) rings.insert({channel, route[k], route[k - 1], route[k + 1]});
    }
  }
  return rings.size();
}

TEST(AllToAllWdm, RingsAreCountedAsDefined) {
  for (const Grid& grid : {Grid{4, 4}, Grid{5, 3}}) {
    const GroupsSchedule s = make_groups(grid);
    for (const Assignment a : kAll) {
      for (const std::uint32_t channels : {1U, 3U, 7U}) {
        const ChannelPlan plan = plan_of(s, channels, 1, 0, a);
        const RingCost cost = ring_cost(s.schedule, plan);
        EXPECT_EQ(cost.rings, rings_by_nodes(s.schedule, plan));
        EXPECT_EQ(cost.by_kind[0] + cost.by_kind[1] + cost.by_kind[2] + cost.by_kind[3], cost.rings);
      }
    }
  }
}

// Of one channel every pair that X-Y routing knows is there once. 3 x 3: corners 2 in, 2 out, 1 turn; the middles of
// the upper and lower edge 3 + 3, straight 2, turns 2; of the left and right edge 3 + 3, straight 2, no turn from y to
// x but into both columns' directions 2; the centre 4 + 4, straight 4, turns 4.
TEST(AllToAllWdm, OneChannelNeedsAllPairs) {
  const GroupsSchedule s = make_groups({3, 3});
  const RingCost cost = ring_cost(s.schedule, plan_of(s, 1, 1, 0, Assignment::regular));
  EXPECT_EQ(cost.most_per_router, 16U);
  EXPECT_EQ(cost.rings, 4U * 5 + 2 * 10 + 2 * 10 + 16);
  EXPECT_EQ(cost.most_wavelengths_per_link, 1U);
  EXPECT_DOUBLE_EQ(cost.mean_wavelengths_per_link, 1);
}

TEST(AllToAllWdm, RegularityPays) {
  for (const std::uint32_t n : {6U, 8U, 10U, 16U}) {
    const GroupsSchedule s = make_groups({n, n});
    for (const std::uint32_t channels : {4U, 8U, 16U}) {
      const std::uint64_t regular = ring_cost(s.schedule, plan_of(s, channels, 1, 0, Assignment::regular)).rings;
      const std::uint64_t random = ring_cost(s.schedule, plan_of(s, channels, 1, 0, Assignment::random)).rings;
      const std::uint64_t in_order = ring_cost(s.schedule, plan_of(s, channels, 1, 0, Assignment::in_order)).rings;
      EXPECT_LT(regular, in_order) << n << " " << channels;
      EXPECT_LT(double(regular), 0.9 * double(random)) << n << " " << channels;
    }
  }
}

TEST(AllToAllWdm, WithoutGroupsTheExchangeAloneHelps) {
  const GroupsSchedule s = make_groups({6, 6});
  const ChannelPlan before = assign_channels(s.schedule, nullptr, 4, 1, 0, Assignment::in_order, 1);
  const ChannelPlan after = assign_channels(s.schedule, nullptr, 4, 1, 0, Assignment::regular, 1);
  EXPECT_LT(ring_cost(s.schedule, after).rings, ring_cost(s.schedule, before).rings);
  const ChannelPlan again = assign_channels(s.schedule, nullptr, 4, 1, 0, Assignment::regular, 1);
  EXPECT_EQ(after.channel, again.channel);
}

}  // namespace
}  // namespace weft::alltoall
