// Clock of the messages of a flow: what a source that always has something to send has to send.

#include "fabrics/tdm/setup/message_clock.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TimedFlow saturated_flow(std::uint32_t words) {
  TimedFlow flow;
  flow.start = 10;
  flow.until = 1000;
  flow.message_words = words;
  return flow;
}

TEST(MessageClock, ASaturatedSourceNeverRunsOutWhateverItsMessagesHave) {
  for (const std::uint32_t words : {1U, 2U, 15U, 16U, 17U, 176U, 1U << 20, 0xFFFF'FFF0U, 0xFFFF'FFFFU}) {
    const TimedFlow flow = saturated_flow(words);
    MessageClock clock(flow, 1, "test");
    EXPECT_EQ(clock.words(9), 0U);
    EXPECT_GT(clock.words(10), std::uint64_t{1} << 50) << words;
    clock.take(3);
    EXPECT_EQ(clock.words(1000), std::uint64_t{3} * words) << "those that it has begun are sent to their end";
    EXPECT_EQ(clock.generated(), std::uint64_t{3} * words);
  }
}

TEST(MessageClock, MoreThanAnyRunHasIsAsMuchAsThat) {
  TimedFlow flow = saturated_flow(0xFFFF'FFF0U);
  flow.messages = std::uint64_t{1} << 40;
  MessageClock clock(flow, 1, "test");
  EXPECT_GT(clock.words(10), std::uint64_t{1} << 50);
}

}  // namespace
}  // namespace weft
