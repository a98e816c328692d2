// Round robin, strict priority, deficit round robin and the InfiniBand arbiter against closed forms, and the factory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "algorithms/qos/deficit_table.h"
#include "algorithms/qos/ib_arbiter.h"
#include "algorithms/qos/scheduler_factory.h"
#include "algorithms/qos/schedulers.h"
#include "base/random.h"
#include "support/egress_port.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<int> levels_of(const std::vector<Sent>& all) {
  std::vector<int> levels;
  for (const Sent& s : all) levels.push_back(s.sl);
  return levels;
}

void fill(EgressPort& port, ServiceLevel sl, std::size_t messages, std::uint32_t size) {
  for (std::size_t i = 0; i < messages; ++i) port.push(sl, size);
}

TEST(RoundRobin, TakesTurnsByMessage) {
  RoundRobin scheduler;
  EgressPort port;
  EXPECT_EQ(port.step(scheduler), std::nullopt);
  fill(port, 0, 3, 9);
  fill(port, 5, 3, 1);
  fill(port, 31, 3, 4);
  EXPECT_THAT(levels_of(port.run(scheduler, 5)), ElementsAre(0, 5, 31, 0, 5));
  port.push(2, 1);
  EXPECT_THAT(levels_of(port.run(scheduler, 9)), ElementsAre(31, 0, 2, 5, 31));
}

TEST(StrictPriority, OthersStarveWhileTheFirstHasMessages) {
  StrictPriority scheduler({7, 0, 3});
  EgressPort port;
  fill(port, 3, 2, 1);
  fill(port, 0, 2, 50);
  fill(port, 7, 100, 1);
  fill(port, 1, 1, 1);  // not in the order
  const auto first = port.run(scheduler, 100);
  EXPECT_EQ(credits_of(first)[7], 100U);
  EXPECT_THAT(levels_of(port.run(scheduler, 10)), ElementsAre(0, 0, 3, 3));
  port.block(0, true);
  fill(port, 0, 1, 1);
  fill(port, 3, 1, 1);
  EXPECT_THAT(levels_of(port.run(scheduler, 10)), ElementsAre(3));
}

TEST(DeficitRoundRobin, PublishedExample) {
  // Sizes and quantum of the first two queues in the paper's example.
  DeficitRoundRobin scheduler({500, 500});
  EgressPort port;
  for (const std::uint32_t size : {200U, 750U, 20U}) port.push(0, size);
  for (const std::uint32_t size : {500U, 500U}) port.push(1, size);
  EXPECT_EQ(port.step(scheduler), (Sent{0, 200}));
  EXPECT_EQ(scheduler.deficit(0), 300U);
  EXPECT_EQ(port.step(scheduler), (Sent{1, 500}));
  EXPECT_EQ(port.step(scheduler), (Sent{0, 750}));  // 300 + 500
  EXPECT_EQ(scheduler.deficit(0), 50U);
  EXPECT_EQ(port.step(scheduler), (Sent{0, 20}));
  EXPECT_EQ(port.step(scheduler), (Sent{1, 500}));
  EXPECT_EQ(scheduler.deficit(0), 0U);  // was empty at this decision
}

// One table entry per SL, in order, is deficit round robin: both give the same decision in every step.
TEST(DeficitRoundRobin, IsADeficitTableOfOneEntryPerLevel) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed, "drr");
    std::vector<std::uint32_t> quanta(1 + random.below(32));
    ArbitrationTable table;
    for (std::size_t sl = 0; sl < quanta.size(); ++sl) {
      quanta[sl] = static_cast<std::uint32_t>(random.below(20));
      table.push_back({static_cast<ServiceLevel>(sl), quanta[sl]});
    }
    DeficitRoundRobin drr(quanta);
    DeficitTable dtable(table);
    EgressPort a;
    EgressPort b;
    for (int step = 0; step < 2000; ++step) {
      const auto sl = static_cast<ServiceLevel>(random.below(quanta.size()));
      const auto size = static_cast<std::uint32_t>(1 + random.below(24));
      const bool blocked = random.below(4) == 0;
      for (EgressPort* port : {&a, &b}) {
        port->push(sl, size);
        port->block(static_cast<ServiceLevel>(size % quanta.size()), blocked);
      }
      ASSERT_EQ(a.step(drr), b.step(dtable)) << "seed " << seed << " step " << step;
    }
  }
}

TEST(DeficitRoundRobin, SharesAreTheQuanta) {
  const std::vector<std::uint32_t> quanta{3, 0, 7, 20};
  DeficitRoundRobin scheduler(quanta);
  EgressPort port;
  RandomStream random(1, "drr shares");
  for (int i = 0; i < 20000; ++i) {
    for (const ServiceLevel sl : {0, 1, 2, 3}) port.push(sl, static_cast<std::uint32_t>(1 + random.below(9)));
  }
  const auto credits = credits_of(port.run(scheduler, 12000));
  EXPECT_EQ(credits[1], 0U);
  const auto rounds = credits[3] / 20;  // of SL 3, whose counter is below 9 at the end of a turn
  EXPECT_GT(rounds, 100U);
  EXPECT_NEAR(static_cast<double>(credits[0]), 3.0 * static_cast<double>(rounds), 12);
  EXPECT_NEAR(static_cast<double>(credits[2]), 7.0 * static_cast<double>(rounds), 16);
}

TEST(IbArbiter, WeightIsRoundedUpToWholeMessages) {
  IbArbiter scheduler({{0, 5}, {1, 1}}, {}, IbArbiter::kUnlimited);
  EgressPort port;
  fill(port, 0, 20, 2);
  fill(port, 1, 20, 9);
  // 5 units: messages of 2 begin while 5, 3 and 1 are left; 1 unit: one message of any size; nothing is owed later.
  EXPECT_THAT(levels_of(port.run(scheduler, 8)), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1));
}

TEST(IbArbiter, InactiveEntryLosesItsTurn) {
  IbArbiter scheduler({{0, 4}, {1, 4}, {2, 0}}, {}, IbArbiter::kUnlimited);
  EgressPort port;
  fill(port, 0, 9, 1);
  fill(port, 1, 9, 1);
  fill(port, 2, 9, 1);  // weight 0
  EXPECT_THAT(levels_of(port.run(scheduler, 2)), ElementsAre(0, 0));
  port.block(0, true);
  EXPECT_THAT(levels_of(port.run(scheduler, 1)), ElementsAre(1));
  port.block(0, false);
  EXPECT_THAT(levels_of(port.run(scheduler, 8)), ElementsAre(1, 1, 1, 0, 0, 0, 0, 1));
}

// With limit L and high-priority messages of s credits, one low-priority message follows every max(1, ceil(64 L / s)).
TEST(IbArbiter, LimitOfHighPriority) {
  for (const std::uint32_t limit : {0U, 1U, 2U, 7U, 254U}) {
    for (const std::uint32_t size : {1U, 3U, 32U, 64U, 100U}) {
      IbArbiter scheduler({{0, 255}}, {{1, 1}}, limit);
      EgressPort port;
      const std::size_t run = std::max<std::size_t>(1, (64 * limit + size - 1) / size);
      fill(port, 0, 3 * run + 1, size);
      fill(port, 1, 4, 16);
      const auto all = port.run(scheduler, 3 * run + 3);
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i].sl, i % (run + 1) == run ? 1 : 0) << "limit " << limit << " size " << size << " message " << i;
      }
    }
  }
}

TEST(IbArbiter, UnlimitedHighPriorityStarvesTheLow) {
  IbArbiter scheduler({{0, 1}}, {{1, 255}}, IbArbiter::kUnlimited);
  EgressPort port;
  fill(port, 0, 5000, 64);
  fill(port, 1, 2, 1);
  EXPECT_EQ(credits_of(port.run(scheduler, 5000))[1], 0U);
  EXPECT_THAT(levels_of(port.run(scheduler, 5)), ElementsAre(1, 1));  // no high-priority message: low is sent at once
}

TEST(IbArbiter, UnusedChanceStartsTheCounterAgain) {
  IbArbiter scheduler({{0, 9}}, {{1, 9}}, 1);
  EgressPort port;
  fill(port, 0, 9, 32);
  EXPECT_THAT(levels_of(port.run(scheduler, 3)), ElementsAre(0, 0, 0));  // 64 credits after two: low had its chance
  port.push(1, 1);
  EXPECT_THAT(levels_of(port.run(scheduler, 3)), ElementsAre(0, 1, 0));
}

TEST(IbArbiter, LowPriorityTableKeepsItsPlace) {
  IbArbiter scheduler({{0, 1}}, {{1, 2}, {2, 1}}, 0);
  EgressPort port;
  fill(port, 0, 20, 1);
  fill(port, 1, 20, 1);
  fill(port, 2, 20, 1);
  EXPECT_THAT(levels_of(port.run(scheduler, 8)), ElementsAre(0, 1, 0, 1, 0, 2, 0, 1));
}

TEST(IbArbiter, WrongTablesAreRefused) {
  EXPECT_THROW(IbArbiter(ArbitrationTable(65), {}, 0), std::invalid_argument);
  EXPECT_THROW(IbArbiter({}, {{0, 256}}, 0), std::invalid_argument);
  EXPECT_THROW(IbArbiter({{32, 1}}, {}, 0), std::invalid_argument);
  EXPECT_THROW(IbArbiter({}, {}, 256), std::invalid_argument);
}

// The first message each kind sends, of SLs 0 (3 credits) and 1 (1 credit), and whom it serves.
TEST(SchedulerFactory, MakesEveryKind) {
  SchedulerConfig config;
  config.table = {{1, 3}, {4, 0}};
  config.low = {{1, 1}};
  config.high = {{0, 1}};
  config.order = {1, 0};
  config.quanta = {2, 1};
  config.shares = {0, 1, 1};
  const auto first = [&](const SchedulerType* type) {
    config.type = type;
    EgressPort port;
    port.push(0, 3);
    port.push(1, 1);
    const auto scheduler = make_scheduler(config);
    const auto sent = port.run(*scheduler, 4);
    return sent.empty() ? -1 : static_cast<int>(sent.front().sl);
  };
  const auto served = [&](const SchedulerType* type) {
    config.type = type;
    return served_levels(config);
  };
  EXPECT_EQ(first(&kDtableScheduler), 1);
  EXPECT_EQ(first(&kIbArbiterScheduler), 0);
  EXPECT_EQ(first(&kRoundRobinScheduler), 0);
  EXPECT_EQ(first(&kStrictPriorityScheduler), 1);
  EXPECT_EQ(first(&kDrrScheduler), 1);
  EXPECT_EQ(first(&kScfqScheduler), 1);
  EXPECT_EQ(served(&kDtableScheduler), 0b10U);
  EXPECT_EQ(served(&kIbArbiterScheduler), 0b11U);
  EXPECT_EQ(served(&kRoundRobinScheduler), 0xffffffffU);
  EXPECT_EQ(served(&kStrictPriorityScheduler), 0b11U);
  EXPECT_EQ(served(&kDrrScheduler), 0b11U);
  EXPECT_EQ(served(&kScfqScheduler), 0b110U);
  for (const SchedulerType* type : scheduler_types()) {
    config.type = type;
    EXPECT_THAT(scheduler_errors(config), IsEmpty());
  }
}

TEST(SchedulerFactory, SaysWhatIsWrong) {
  SchedulerConfig config;
  config.table = {{0, 1}, {40, 1}};
  config.counter_bits = 40;
  config.high = ArbitrationTable(65, TableEntry{0, 1});
  config.low = {{0, 300}};
  config.limit_of_high_priority = 256;
  config.order = {1, 1, 33};
  config.quanta.resize(33, 1);
  config.shares = {4294967291U, 4294967279U, 4294967231U};  // primes
  const auto errors = [&](const SchedulerType* type) {
    config.type = type;
    EXPECT_THROW(make_scheduler(config), std::invalid_argument);
    return scheduler_errors(config);
  };
  EXPECT_THAT(errors(&kDtableScheduler),
              ElementsAre("table entry 1 names SL 40; SLs are 0 to 31", "counters of 40 bits; at most 32"));
  EXPECT_THAT(errors(&kIbArbiterScheduler), ElementsAre("high-priority table of 65 entries; at most 64",
                                                        "low-priority entry 0 has weight 300; at most 255",
                                                        "limit of high priority 256; at most 254, or 255 for none"));
  EXPECT_THAT(errors(&kStrictPriorityScheduler),
              ElementsAre("SL 1 has two priorities", "priority 2 names SL 33; SLs are 0 to 31"));
  EXPECT_THAT(errors(&kDrrScheduler), ElementsAre("33 quanta; there are at most 32 SLs"));
  EXPECT_THAT(errors(&kScfqScheduler), ElementsAre(HasSubstr("does not fit 64 bits")));
}

TEST(SchedulerFactory, LargestMessageIsThatOfTheCounters) {
  SchedulerConfig config;
  EXPECT_EQ(largest_message(config), std::nullopt);
  config.counter_bits = 8;
  EXPECT_EQ(largest_message(config), 255U);
  config.counter_bits = 32;
  EXPECT_EQ(largest_message(config), ~std::uint32_t{0});
  config.type = &kDrrScheduler;
  EXPECT_EQ(largest_message(config), std::nullopt);
}

}  // namespace
}  // namespace weft::test
