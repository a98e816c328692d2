// Units that make words at a rate of their own: the first cycle in which a message may stand at the head of its queue,
// against a search through all words.

#include "fabrics/tdm/source_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace weft {
namespace {

constexpr Duration kTenNs{10'000};

TEST(SourceUnit, OneThatIsAsFastAsTheLinkIsNeverWaitedFor) {
  EXPECT_FALSE(SourceUnit().is_slower_than_links());
  EXPECT_FALSE(SourceUnit(340, Rate{34'000'000'000}, kTenNs).is_slower_than_links());
  EXPECT_TRUE(SourceUnit(340, Rate{33'999'999'999}, kTenNs).is_slower_than_links());
}

// A third of the rate, a slot in every cycle: word k comes 3 k cycles after the first, so that the last of n words is
// there in cycle 3 (n - 1) and the head stands n - 1 cycles before it.
TEST(SourceUnit, SlowUnitFullLink) {
  const std::vector<Slot> all{0, 1};
  const SlotSequence slots(all, 2);
  for (const int n : {1, 2, 5, 100}) {
    SourceUnit unit(300, Rate{10'000'000'000}, kTenNs);
    EXPECT_EQ(unit.begin(40, n, slots, 2), 40 + 2 * (n - 1));
    EXPECT_EQ(unit.begin(0, n, slots, 2), 40 + 3 * n + 2 * (n - 1));  // the next one follows at once
  }
}

TEST(SourceUnit, NoSlotComesBeforeItsWord) {
  std::mt19937 random(11);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int c = 0; c < 2000; ++c) {
    const int frame = pick(2, 12);
    std::vector<Slot> mine;
    for (int s = 0; s < frame; ++s) {
      if (pick(0, 2) == 0) mine.push_back(static_cast<Slot>(s));
    }
    if (mine.empty()) mine.push_back(static_cast<Slot>(pick(0, frame - 1)));
    const SlotSequence slots(mine, static_cast<std::uint32_t>(frame));
    const int words = pick(1, 40);
    const Cycle from = pick(0, 50);
    SourceUnit unit(340, Rate{std::int64_t{pick(1, 33)} * 1'000'000'000}, kTenNs);
    const auto late = [&](Cycle head) {
      const std::int64_t first = slots.first_at_or_after(head);
      for (int k = 0; k < words; ++k) {
        if (slots.cycle(first + k) < from + unit.until(k)) return true;
      }
      return false;
    };
    Cycle head = from;
    while (late(head)) ++head;
    EXPECT_EQ(unit.begin(from, words, slots, static_cast<std::int64_t>(mine.size())), head) << c;
  }
}

}  // namespace
}  // namespace weft
