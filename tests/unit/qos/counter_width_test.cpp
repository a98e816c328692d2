// Width that counters need: by hand, and against schedulers with every message a sender may choose.

#include "algorithms/qos/table_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/random.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Weight 150: 200 credits have to wait for the second turn, with 150 + 150. The word is sent at once.
TEST(CounterNeeds, AWeightComesOnTopOfADeficit) {
  const ArbitrationTable table{{0, 150}, {1, 150}};
  const CounterNeeds fixed(table, {200, 1}, MessageSizes::all_largest);
  EXPECT_EQ(fixed.largest(0), 300U);
  EXPECT_EQ(fixed.largest(1), 150U);
  EXPECT_EQ(fixed.bits(), 9U);
  EXPECT_THAT(fixed.saturating(8), ElementsAre(0));
  EXPECT_THAT(fixed.saturating(9), IsEmpty());
  EXPECT_THAT(fixed.saturating(0), IsEmpty()) << "as wide as it takes";
  // With smaller messages before it a deficit of 199 can be left.
  EXPECT_EQ(CounterNeeds(table, {200, 1}, MessageSizes::any).largest(0), 349U);
}

// 200 = 2 * 100: nothing is ever left of it, unless messages are smaller.
TEST(CounterNeeds, MessagesOfOneSizeMayLeaveNothing) {
  const ArbitrationTable table{{0, 200}};
  EXPECT_EQ(CounterNeeds(table, {100}, MessageSizes::all_largest).largest(0), 200U);
  EXPECT_EQ(CounterNeeds(table, {100}, MessageSizes::any).largest(0), 299U);
}

// Messages of 5. From the entry of 7 on: 7 leave 2, with 3 these make 5, which leave nothing, and so on. An SL that
// becomes active before the entry of 3 keeps these, and has 10 with the next one.
TEST(CounterNeeds, EveryEntryMayBeTheFirst) {
  EXPECT_EQ(CounterNeeds({{0, 7}, {0, 3}}, {5}, MessageSizes::all_largest).largest(0), 10U);
}

TEST(CounterNeeds, OnlySelectedLevelsCount) {
  const CounterNeeds needs({{0, 0}, {2, 1}}, {100, 100, 0}, MessageSizes::any);
  for (const ServiceLevel sl : {0, 1, 2, 31}) EXPECT_EQ(needs.largest(sl), 0U);
  EXPECT_EQ(needs.bits(), 1U);
}

// The largest value over all that can happen to one SL: messages of any of the sizes, and an end of activity any time.
std::uint64_t largest_by_search(const std::vector<std::uint32_t>& weights, const std::vector<std::uint32_t>& sizes) {
  std::set<std::pair<std::size_t, std::uint64_t>> seen;  // entry that is selected next, deficit
  std::vector<std::pair<std::size_t, std::uint64_t>> open;
  for (std::size_t e = 0; e < weights.size(); ++e) open.emplace_back(e, 0);
  std::uint64_t largest = 0;
  while (!open.empty()) {
    const auto state = open.back();
    open.pop_back();
    if (!seen.insert(state).second) continue;
    const std::size_t next = (state.first + 1) % weights.size();
    const std::uint64_t earned = state.second + weights[state.first];
    largest = std::max(largest, earned);
    // The head message was not covered by the deficit, so it is larger; what follows it is free.
    std::set<std::uint64_t> left;
    for (const std::uint32_t first : sizes) {
      if (first <= state.second) continue;
      if (first > earned) {
        open.emplace_back(next, earned);
      } else {
        left.insert(earned - first);
      }
    }
    while (!left.empty()) {
      const std::uint64_t rest = *left.rbegin();
      left.erase(rest);
      for (const std::uint32_t size : sizes) {
        if (size > rest) {
          open.emplace_back(next, rest);
        } else {
          left.insert(rest - size);
        }
      }
    }
  }
  return largest;
}

TEST(CounterNeeds, AreExact) {
  RandomStream random(1, "needs");
  for (int round = 0; round < 400; ++round) {
    const auto message = static_cast<std::uint32_t>(1 + random.below(12));
    std::vector<std::uint32_t> weights(1 + random.below(4));
    ArbitrationTable table{{1, 40}};
    for (std::uint32_t& w : weights) {
      w = static_cast<std::uint32_t>(1 + random.below(14));
      table.push_back({0, w});
      table.push_back({static_cast<ServiceLevel>(random.below(2)), 0});
    }
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t s = 1; s <= message; ++s) sizes.push_back(s);
    EXPECT_EQ(CounterNeeds(table, {message}, MessageSizes::any).largest(0), largest_by_search(weights, sizes));
    EXPECT_EQ(CounterNeeds(table, {message}, MessageSizes::all_largest).largest(0),
              largest_by_search(weights, {message}));
  }
}

}  // namespace
}  // namespace weft::test
