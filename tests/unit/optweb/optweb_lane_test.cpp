// The two ends of a lane in word cycles: what is taken comes out at the other end, in its word cycle and in order, with
// and without the middle of a run; a notification in the middle of words costs two rests, itself and a word to be
// dropped.

#include "algorithms/optweb/lane.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace weft::optweb {
namespace {

// A lane without a delay, word cycle by word cycle.
struct Line {
  explicit Line(std::uint32_t gap) : there(gap), here(gap), transmitter(there), receiver(here) {}
  void step(bool notify, bool valid) {
    const LaneTransmitter::Result sent = transmitter.step(notify, valid);
    const LaneReceiver::Result got = receiver.step(sent.lane);
    if (sent.taken) taken.push_back(cycle);
    if (sent.noted) noted.push_back(cycle);
    if (sent.lane.active) active.push_back(cycle);
    if (got.word != 0) {
      received.push_back(cycle);
      words.push_back(got.word);
    }
    if (got.notified) notified.push_back(cycle);
    ++cycle;
  }
  void rest(int cycles) {
    for (int i = 0; i < cycles; ++i) step(false, false);
  }
  using Cycles = std::vector<std::uint64_t>;
  LinkSync there, here;
  LaneTransmitter transmitter;
  LaneReceiver receiver;
  std::uint64_t cycle = 0;
  Cycles taken, noted, active, received, notified, words;
};

TEST(OptwebLane, RunsHaveACycleMoreThanWords) {
  for (std::uint32_t gap = LinkSync::kMinGap; gap <= LinkSync::kMaxGap; ++gap) {
    for (const std::uint64_t words : {1, 2, 3, 7}) {
      Line line(gap);
      for (std::uint64_t i = 0; i < words; ++i) line.step(false, true);
      line.rest(static_cast<int>(gap) + 3);
      ASSERT_EQ(line.taken.size(), words);
      ASSERT_EQ(line.active.size(), words + 1);
      EXPECT_EQ(line.active.front(), 1U);
      EXPECT_EQ(line.active.back(), words + 1);
      ASSERT_EQ(line.received.size(), words);
      for (std::uint64_t i = 0; i < words; ++i) {
        EXPECT_EQ(line.received[i], i + 3);  // taken in i, on the lane in i + 2
        EXPECT_EQ(line.words[i], i + 1);
      }
      EXPECT_TRUE(line.notified.empty());
    }
  }
}

TEST(OptwebLane, ANotificationIsAlone) {
  for (std::uint32_t gap = LinkSync::kMinGap; gap <= LinkSync::kMaxGap; ++gap) {
    Line line(gap);
    for (int i = 0; line.noted.size() < 2 && i < 40; ++i) line.step(true, false);
    line.rest(static_cast<int>(gap) + 3);
    ASSERT_EQ(line.noted.size(), 2U);
    EXPECT_EQ(line.noted[1] - line.noted[0], gap + 1);
    ASSERT_EQ(line.notified.size(), 2U);
    EXPECT_EQ(line.notified[0], line.noted[0] + 3);
    EXPECT_TRUE(line.received.empty());
  }
}

TEST(OptwebLane, ACutCostsTwoRestsANotificationAndADroppedWord) {
  for (std::uint32_t gap = LinkSync::kMinGap; gap <= LinkSync::kMaxGap; ++gap) {
    Line line(gap);
    for (int i = 0; i < 10; ++i) line.step(false, true);
    while (line.noted.empty()) line.step(true, true);
    while (line.taken.size() < 20) line.step(false, true);
    line.rest(static_cast<int>(gap) + 3);
    EXPECT_EQ(line.noted[0], 10 + 1 + gap);
    EXPECT_EQ(line.taken[10] - line.taken[9], 2 * gap + 3);
    EXPECT_EQ(line.words.size(), 20U);
    EXPECT_EQ(line.words.back(), 20U);
    EXPECT_EQ(line.notified.size(), 1U);
  }
}

TEST(OptwebLane, TheMiddleOfARunIsLeftOut) {
  Line line(1);
  int steps = 0;
  for (; !line.transmitter.steady() || !line.receiver.steady(); ++steps) {
    ASSERT_LT(steps, 20);
    line.step(false, true);
  }
  const std::uint64_t before = line.transmitter.words();
  line.transmitter.leave_out(1'000'000'000);
  for (int i = 0; i < 3; ++i) line.step(false, true);
  line.rest(4);
  EXPECT_EQ(line.transmitter.words(), before + 1'000'000'003);
  // All that was stepped is received, in order, and the last one is the last.
  ASSERT_EQ(line.words.size(), before + 3);
  for (std::size_t i = 1; i < line.words.size(); ++i) EXPECT_GT(line.words[i], line.words[i - 1]);
  EXPECT_EQ(line.words.back(), before + 1'000'000'003);
  EXPECT_FALSE(LaneTransmitter(line.there).steady());  // it rests
}

}  // namespace
}  // namespace weft::optweb
