// Times of a message, and the queue of messages.

#include "fabrics/packet/common/message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <vector>

#include "base/diagnostics.h"
#include "base/random.h"

namespace weft::test {
namespace {

constexpr Cycle kFar = std::numeric_limits<std::uint32_t>::max();

TEST(PacketMessage, KnowsWhenItsFirstFlitCame) {
  PacketMessage m;
  m.comes(100, 107);
  EXPECT_EQ(m.ready, 107);
  EXPECT_EQ(m.head(), 100);
  m.comes(5, 5 + kFar);
  EXPECT_EQ(m.head(), 5);
  // Later than it was, but so long ago that it has been there as a whole.
  m.comes(5, 5 + kFar + 1000);
  EXPECT_EQ(m.head(), 1005);
}

TEST(PacketMessage, CountsItsWaitUpTo32Bits) {
  PacketMessage m;
  m.source = 3;
  m.destination = 8;
  m.generated = 40;
  m.set_sent(40 + kFar);
  EXPECT_EQ(m.sent(), 40 + kFar);
  try {
    m.set_sent(41 + kFar);
    FAIL() << "longer than it can count";
  } catch (const RunError& e) {
    EXPECT_STREQ(e.what(), "a message from node 3 to node 8, of cycle 40, has waited more than 2^32 cycles in its NIC");
  }
}

TEST(MessageQueue, SameAsADeque) {
  MessagePool pool;
  std::vector<MessageQueue> queues(5);
  std::vector<std::deque<PacketMessage*>> expected(5);
  RandomStream random(1, "queue");
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t q = random.below(5);
    if (random.below(2) == 0) {
      PacketMessage& m = pool.take();
      m.flits = static_cast<std::uint32_t>(1 + random.below(9));
      queues[q].push(m);
      expected[q].push_back(&m);
    } else if (!expected[q].empty()) {
      PacketMessage& m = queues[q].pop();
      ASSERT_EQ(&m, expected[q].front());
      expected[q].pop_front();
      pool.give_back(m);
    }
    ASSERT_EQ(queues[q].empty(), expected[q].empty());
    ASSERT_EQ(queues[q].front(), expected[q].empty() ? nullptr : expected[q].front());
    std::int64_t flits = 0;
    for (const PacketMessage* m : expected[q]) flits += m->flits;
    ASSERT_EQ(queues[q].flits(), flits);
  }
}

TEST(MessagePool, ThoseUnderWayLieTogetherHoweverManyWait) {
  MessagePool pool;
  RandomStream random(1, "pool");
  std::deque<PacketMessage*> waiting;
  std::deque<PacketMessage*> under_way;
  std::set<const PacketMessage*> lines;  // that have been under way
  for (std::uint32_t number = 0; number < 50'000; ++number) {
    PacketMessage& m = pool.take();
    m.sequence = number;
    m.flits = 1;
    waiting.push_back(&m);
    if (number % 3 == 0) continue;  // ever more wait
    PacketMessage* const first = waiting.front();
    waiting.pop_front();
    const std::uint32_t sequence = first->sequence;
    PacketMessage& moved = pool.admit(*first);
    ASSERT_EQ(moved.sequence, sequence);
    ASSERT_EQ(moved.flits, 1U);
    ASSERT_EQ(std::count(under_way.begin(), under_way.end(), &moved), 0);
    under_way.push_back(&moved);
    lines.insert(&moved);
    while (under_way.size() > random.below(100)) {
      pool.give_back(*under_way.front());
      under_way.pop_front();
    }
    ASSERT_EQ(pool.in_use(), waiting.size() + under_way.size());
  }
  EXPECT_GT(waiting.size(), 10'000U);
  EXPECT_LE(lines.size(), 100U);
}

}  // namespace
}  // namespace weft::test
