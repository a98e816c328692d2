#include "algorithms/slots/allocators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.h"

namespace weft {
namespace {

TEST(WordOrder, OneLaneLeavesAtTheNextOccurrence) {
  EXPECT_THAT(departures_in_order({5}, {6}, 8), testing::ElementsAre(6));
  EXPECT_THAT(departures_in_order({5}, {5}, 8), testing::ElementsAre(13));  // a full frame
  EXPECT_THAT(departures_in_order({5}, {2}, 8), testing::ElementsAre(10));
  EXPECT_THAT(departures_in_order({29}, {2}, 8), testing::ElementsAre(34));
}

TEST(WordOrder, LanesAreRotatedNotReordered) {
  // The first word just misses slot 0, so the lanes start with slot 3.
  EXPECT_THAT(departures_in_order({0, 4}, {0, 3}, 8), testing::ElementsAre(3, 8));
  // The last lane decides: slot 1 comes before its word, so every lane takes one occurrence later.
  EXPECT_THAT(departures_in_order({0, 5}, {1, 3}, 8), testing::ElementsAre(3, 9));
}

RC_GTEST_PROP(WordOrder, OrderIsKeptAndDelaysAreWithinAFrame, ()) {
  const auto frame = *rc::gen::inRange<Cycle>(1, 40);
  const auto lanes = *rc::gen::inRange<Cycle>(1, frame + 1);
  const auto start = *rc::gen::inRange<Cycle>(0, 200);
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>(), "lanes");
  const auto draw = [&] {
    std::vector<Slot> all(static_cast<std::size_t>(frame));
    std::iota(all.begin(), all.end(), Slot{0});
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
    all.resize(static_cast<std::size_t>(lanes));
    return all;
  };
  std::vector<Cycle> arrivals;
  for (const Slot s : draw()) arrivals.push_back(start + s);
  std::sort(arrivals.begin(), arrivals.end());
  const std::vector<Slot> chosen = draw();

  const std::vector<Cycle> departures = departures_in_order(arrivals, chosen, frame);
  RC_ASSERT(departures.size() == arrivals.size());
  std::set<Slot> used;
  bool could_be_earlier = true;
  for (std::size_t j = 0; j < departures.size(); ++j) {
    RC_ASSERT(departures[j] - arrivals[j] >= 1);
    RC_ASSERT(departures[j] - arrivals[j] <= frame);
    if (j > 0) RC_ASSERT(departures[j] > departures[j - 1]);
    used.insert(static_cast<Slot>(departures[j] % frame));
    // One step of the rotation earlier: the departure before this one, the last lane's of the frame before
    // for lane 0.
    const Cycle earlier = j > 0 ? departures[j - 1] : departures.back() - frame;
    could_be_earlier = could_be_earlier && earlier > arrivals[j];
  }
  RC_ASSERT(departures.back() - departures.front() < frame);
  RC_ASSERT(used == std::set<Slot>(chosen.begin(), chosen.end()));
  RC_ASSERT(!could_be_earlier);
}

}  // namespace
}  // namespace weft
