#include "algorithms/qos/deficit_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/random.h"
#include "reference/deficit_table_oracle.h"
#include "support/egress_port.h"

namespace weft::test {
namespace {

// Figure 3 of the paper: weight 3, three messages of 2 credits in SL 0, none in SL 1.
TEST(DeficitTable, Figure3) {
  DeficitTable table({{0, 3}, {1, 3}});
  EgressPort port;
  for (int i = 0; i < 3; ++i) port.push(0, 2);
  EXPECT_EQ(port.step(table), (Sent{0, 2}));
  EXPECT_EQ(table.accumulated_weight(), 1U);  // round N, after delivery: not enough, becomes the deficit
  EXPECT_EQ(port.step(table), (Sent{0, 2}));
  EXPECT_EQ(table.accumulated_weight(), 2U);  // round N+1: 3 + 1 before delivery
  EXPECT_EQ(port.step(table), (Sent{0, 2}));
  EXPECT_EQ(table.accumulated_weight(), 0U);  // while the message leaves
  EXPECT_EQ(port.step(table), std::nullopt);
  EXPECT_EQ(table.deficit(0), 0U);  // nothing left to send: the SL is inactive
  EXPECT_EQ(table.accumulated_weight(), 0U);
  EXPECT_FALSE(table.selected());
}

TEST(DeficitTable, DeficitWaitsWhileAnotherSends) {
  DeficitTable table({{0, 3}, {1, 1}});
  EgressPort port;
  for (int i = 0; i < 4; ++i) port.push(0, 2);
  port.push(1, 1);
  EXPECT_EQ(port.run(table, 2), (std::vector<Sent>{{0, 2}, {1, 1}}));
  EXPECT_EQ(table.deficit(0), 1U);
  EXPECT_EQ(port.run(table, 3), (std::vector<Sent>{{0, 2}, {0, 2}, {0, 2}}));  // 3 + 1, then a turn of 3
}

TEST(DeficitTable, InactiveLosesItsDeficit) {
  DeficitTable table({{0, 3}, {1, 1}});
  EgressPort port;
  for (int i = 0; i < 3; ++i) port.push(0, 2);
  for (int i = 0; i < 9; ++i) port.push(1, 1);
  port.run(table, 2);
  ASSERT_EQ(table.deficit(0), 1U);
  port.block(0, true);  // no credits: inactive although messages wait
  port.step(table);
  EXPECT_EQ(table.deficit(0), 0U);
  port.block(0, false);
  EXPECT_EQ(port.step(table), (Sent{0, 2}));
  EXPECT_EQ(table.accumulated_weight(), 1U);
}

// An SL that is there again when its last message has left goes on with what it holds.
TEST(DeficitTable, ActivityIsLookedAtAtDecisions) {
  DeficitTable table({{0, 3}, {1, 1}});
  EgressPort port;
  port.push(0, 2);
  EXPECT_EQ(port.step(table), (Sent{0, 2}));
  port.push(0, 1);
  port.push(1, 1);
  EXPECT_EQ(port.step(table), (Sent{0, 1}));
  port.push(0, 1);
  EXPECT_EQ(port.step(table), (Sent{1, 1}));  // the 3 credits are used
}

TEST(DeficitTable, IdleDecisionsLoseWhatIsHeld) {
  DeficitTable table({{0, 3}, {1, 1}});
  EgressPort port;
  for (int i = 0; i < 3; ++i) port.push(0, 2);
  for (int i = 0; i < 9; ++i) port.push(1, 3);
  EXPECT_EQ(port.step(table), (Sent{0, 2}));
  EXPECT_EQ(port.step(table), std::nullopt);
  EXPECT_EQ(table.deficit(0), 1U);
  EXPECT_EQ(table.accumulated_weight(), 1U);
  EXPECT_TRUE(table.selected());
  table.idle();
  EXPECT_EQ(table.deficit(0), 0U);
  EXPECT_EQ(table.accumulated_weight(), 0U);
  EXPECT_FALSE(table.selected());
  EXPECT_EQ(table.entry(), 1U);  // the place in the table stays
}

TEST(DeficitTable, OneStepPerEntryThatCannotPay) {
  DeficitTable table({{3, 1}});
  EgressPort port;
  port.push(3, 4);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(port.step(table), std::nullopt) << i;
  EXPECT_EQ(port.step(table), (Sent{3, 4}));
}

TEST(DeficitTable, NothingToGrantEnds) {
  EgressPort port;
  port.push(0, 1);
  port.push(31, 1);
  DeficitTable empty({});
  EXPECT_TRUE(port.run(empty, 10).empty());
  DeficitTable zeros(ArbitrationTable(130, TableEntry{0, 0}));
  EXPECT_TRUE(port.run(zeros, 10).empty());
  ArbitrationTable others(70, TableEntry{7, 5});
  others.push_back({0, 0});
  DeficitTable table(others);
  EXPECT_TRUE(port.run(table, 10).empty());
  port.push(7, 1);
  EXPECT_EQ(port.run(table, 10), (std::vector<Sent>{{7, 1}}));
  EgressPort idle;
  EXPECT_TRUE(idle.run(table, 10).empty());
}

TEST(DeficitTable, LargeWeightsAndMessages) {
  constexpr std::uint32_t kLargest = ~std::uint32_t{0};
  DeficitTable table({{5, kLargest - 1}, {6, kLargest}});
  EgressPort port;
  for (int i = 0; i < 8; ++i) port.push(5, kLargest);
  for (int i = 0; i < 8; ++i) port.push(6, kLargest);
  EXPECT_EQ(port.run(table, 4), (std::vector<Sent>{{6, kLargest}, {5, kLargest}, {6, kLargest}}));
  EXPECT_EQ(table.accumulated_weight(), 0U);
  EXPECT_EQ(table.deficit(5), std::uint64_t{kLargest} - 2);  // two turns, one credit short each
}

TEST(DeficitTable, WrongTablesAreRefused) {
  EXPECT_THROW(DeficitTable({{32, 1}}), std::invalid_argument);
  EXPECT_THROW(DeficitTable({{0, 1}}, 33), std::invalid_argument);
  DeficitTable table({{0, 1}});
  EXPECT_THROW(table.set_entry(0, {32, 1}), std::invalid_argument);
}

TEST(DeficitTable, WrittenEntryCountsFromItsNextSelection) {
  DeficitTable table({{0, 2}, {1, 1}});
  EgressPort port;
  for (int i = 0; i < 9; ++i) port.push(0, 1);
  for (int i = 0; i < 9; ++i) port.push(1, 1);
  EXPECT_EQ(port.step(table), (Sent{0, 1}));
  table.set_entry(0, {1, 3});
  EXPECT_EQ(port.run(table, 6), (std::vector<Sent>{{0, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}));
  EXPECT_EQ(port.queued(0), 7U);
}

TEST(DeficitTable, NarrowCountersSaturateAndSaySo) {
  DeficitTable table({{0, 200}}, 8);
  EgressPort port;
  port.push(0, 190);
  port.push(0, 240);
  EXPECT_EQ(port.step(table), (Sent{0, 190}));
  EXPECT_EQ(port.step(table), std::nullopt);  // 10 + 200
  EXPECT_EQ(table.saturations(), 0U);
  EXPECT_EQ(port.step(table), (Sent{0, 240}));  // 210 + 200 does not fit
  EXPECT_EQ(table.saturations(), 1U);
  EXPECT_EQ(table.credits_lost(), 410U - 255U);
  port.push(0, 256);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(port.step(table), std::nullopt);  // more than the counter can hold
}

struct Walk {
  std::uint64_t seed;
  unsigned levels;
  std::size_t entries;
  std::uint64_t weights;  // below
  std::uint64_t sizes;    // up to
  unsigned counter_bits;
};

// Random tables, arrivals, credits and table writes: the same decisions and registers as the walk entry by entry.
void compare_with_walk(const Walk& walk) {
  RandomStream random(walk.seed, "deficit table");
  const auto entry = [&] {
    const bool none = random.below(4) == 0;
    return TableEntry{static_cast<ServiceLevel>(random.below(walk.levels)),
                      none ? 0 : static_cast<std::uint32_t>(random.below(walk.weights))};
  };
  ArbitrationTable table(walk.entries);
  std::vector<oracle::Entry> entries;
  for (TableEntry& e : table) {
    e = entry();
    entries.push_back({e.sl, e.weight});
  }
  DeficitTable model(table, walk.counter_bits);
  oracle::DeficitTableOracle oracle(entries, walk.levels,
                                    walk.counter_bits == 0 ? INT64_MAX : (1LL << walk.counter_bits) - 1);
  EgressPort port;
  const auto queues = [&](const EgressView& view) {
    std::vector<oracle::Queue> all(walk.levels);
    for (ServiceLevel sl = 0; sl < walk.levels; ++sl) all[sl] = {view.is_active(sl), view.head[sl]};
    return all;
  };
  std::size_t grants = 0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    for (std::uint64_t n = random.below(3); n > 0; --n) {
      port.push(static_cast<ServiceLevel>(random.below(walk.levels)),
                static_cast<std::uint32_t>(1 + random.below(walk.sizes)));
    }
    if (random.below(8) == 0) {
      port.block(static_cast<ServiceLevel>(random.below(walk.levels)), random.below(3) == 0);
    }
    if (random.below(50) == 0 && !table.empty()) {
      const auto index = static_cast<std::size_t>(random.below(table.size()));
      const TableEntry e = entry();
      model.set_entry(index, e);
      oracle.write(index, {e.sl, e.weight});
    }
    const EgressView view = port.view();
    if (random.below(5) == 0) {
      model.idle();
      oracle.step(std::vector<oracle::Queue>(walk.levels));
    } else {
      const auto wanted = oracle.step(queues(view));
      const auto sent = port.step(model);
      ASSERT_EQ(sent.has_value(), wanted.has_value()) << "seed " << walk.seed << " cycle " << cycle;
      if (sent) {
        ++grants;
        ASSERT_EQ(sent->sl, *wanted) << "seed " << walk.seed << " cycle " << cycle;
      }
    }
    for (ServiceLevel sl = 0; sl < walk.levels; ++sl) {
      ASSERT_EQ(model.deficit(sl), static_cast<std::uint64_t>(oracle.deficit(sl)));
    }
    ASSERT_EQ(model.accumulated_weight(), static_cast<std::uint64_t>(oracle.accumulated_weight()));
    ASSERT_EQ(model.credits_lost(), static_cast<std::uint64_t>(oracle.credits_lost()));
  }
  EXPECT_TRUE(grants > 0 || walk.entries < walk.levels);
  EXPECT_EQ(model.saturations() > 0, oracle.credits_lost() > 0);
}

TEST(DeficitTable, SameAsTheWalkEntryByEntry) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const std::size_t entries : {0, 1, 2, 7, 63, 64, 65, 128, 200, 300}) {
      compare_with_walk({seed, 4, entries, 12, 8, 0});
      compare_with_walk({seed, 32, entries, 40, 64, 0});
      compare_with_walk({seed, 8, entries, 120, 100, 7});
    }
    compare_with_walk({seed, 3, 70, 1ULL << 32, 0xffffffffULL, 0});
  }
}

ArbitrationTable random_table(RandomStream& random, unsigned levels, std::size_t entries, std::uint64_t weights) {
  ArbitrationTable table(std::max<std::size_t>(entries, levels));
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = {static_cast<ServiceLevel>(i < levels ? i : random.below(levels)),
                static_cast<std::uint32_t>(1 + random.below(weights))};
  }
  return table;
}

std::vector<std::uint64_t> weights_of(const ArbitrationTable& table, unsigned levels) {
  std::vector<std::uint64_t> total(levels);
  for (const TableEntry& e : table) total[e.sl] += e.weight;
  return total;
}

// All SLs backlogged: after k rounds of the table, SL i has sent k * W_i less its deficit, which is smaller than its
// head message. A round ends when the selected entry comes around.
TEST(DeficitTable, SharesOfFullRoundsAreTheWeights) {
  constexpr std::uint64_t kLongest = 12;
  bool kept_back = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed, "shares");
    const auto levels = static_cast<unsigned>(2 + random.below(7));
    const ArbitrationTable table = random_table(random, levels, random.below(100), 20);
    const auto weights = weights_of(table, levels);
    DeficitTable scheduler(table);
    EgressPort port;
    std::vector<std::uint64_t> sent(levels);
    std::size_t before = 0;
    for (std::uint64_t rounds = 0; rounds < 40;) {
      for (ServiceLevel sl = 0; sl < levels; ++sl) {
        while (port.queued(sl) < 2) port.push(sl, static_cast<std::uint32_t>(1 + random.below(kLongest)));
      }
      const auto message = port.step(scheduler);
      if (scheduler.entry() < before) {  // what this step sends belongs to the new round
        ++rounds;
        for (ServiceLevel sl = 0; sl < levels; ++sl) {
          ASSERT_LE(sent[sl], rounds * weights[sl]) << "seed " << seed;
          ASSERT_GT(sent[sl] + kLongest, rounds * weights[sl]) << "seed " << seed;
          kept_back = kept_back || sent[sl] < rounds * weights[sl];
        }
      }
      before = scheduler.entry();
      if (message) sent[message->sl] += message->size;
    }
  }
  EXPECT_TRUE(kept_back);
}

// docs/qos_schedulers.md: an SL that stays active with head messages of at most L credits is granted within R = ceil(L
// / W) rounds of N entries; before it the others send at most the sum of R * W_j + A_j credits, A_j what SL j has
// saved.
TEST(DeficitTable, WaitingIsBounded) {
  std::uint64_t closest = ~std::uint64_t{0};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomStream random(seed, "waiting");
    const auto levels = static_cast<unsigned>(2 + random.below(4));
    const auto most = 1 + random.below(6);  // one by one: compilers evaluate arguments in orders of their own
    const auto more = random.below(12);
    const ArbitrationTable table = random_table(random, levels, more, most);
    const auto weights = weights_of(table, levels);
    const auto longest = static_cast<std::uint32_t>(1 + random.below(8));
    const auto watched = static_cast<ServiceLevel>(random.below(levels));
    DeficitTable scheduler(table);
    EgressPort port;
    for (std::uint64_t warm = random.below(60); warm > 0; --warm) {  // any state in which the watched SL is inactive
      for (ServiceLevel sl = 0; sl < levels; ++sl) {
        if (sl == watched || port.queued(sl) > 1 || random.below(2) == 0) continue;
        port.push(sl, static_cast<std::uint32_t>(1 + random.below(longest)));
      }
      port.step(scheduler);
    }
    const std::uint64_t rounds = (longest + weights[watched] - 1) / weights[watched];
    std::uint64_t bound = scheduler.accumulated_weight();
    for (ServiceLevel sl = 0; sl < levels; ++sl) {
      if (sl != watched) bound += rounds * weights[sl] + scheduler.deficit(sl);
    }
    port.push(watched, longest);
    std::uint64_t others = 0;  // messages of one credit: as many as can be
    for (std::uint64_t steps = 1;; ++steps) {
      for (ServiceLevel sl = 0; sl < levels; ++sl) {
        while (sl != watched && port.queued(sl) < 2) port.push(sl, 1);
      }
      const auto sent = port.step(scheduler);
      if (sent && sent->sl == watched) break;
      if (sent) others += sent->size;
      ASSERT_LE(others, bound) << "seed " << seed;
      ASSERT_LT(steps, bound + rounds * table.size()) << "seed " << seed;  // one of them is the grant
    }
    closest = std::min(closest, bound - others);
  }
  EXPECT_EQ(closest, 0U);  // the bound is reached: there is no smaller one
}

}  // namespace
}  // namespace weft::test
