// The Verilated Deficit Table as an egress scheduler: the same decisions as the plain class, and lockstep that sees
// faults. The faulty copies are made by tests/CMakeLists.txt.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "Vdtable_keeps.h"
#include "Vdtable_stays.h"
#include "algorithms/qos/deficit_table.h"
#include "base/diagnostics.h"
#include "base/random.h"
#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/rtl_schedulers.h"
#include "cosim/packet/verilated_dtable.h"
#include "support/child.h"
#include "support/random_decisions.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Optional;

struct Size {
  std::uint64_t levels;
  std::uint64_t entries;
  std::uint64_t weights;
  std::uint64_t sizes;
  unsigned counter_bits;
  DtableRtlSize compiled;
};

void PrintTo(const Size& size, std::ostream* out) {
  *out << size.levels << "x" << size.entries << ", counters of " << size.counter_bits << " bits";
}

ArbitrationTable random_table(RandomStream& random, const Size& size) {
  ArbitrationTable table(size.entries);
  for (TableEntry& e : table) {
    e.sl = static_cast<ServiceLevel>(random.below(size.levels));
    e.weight = random.below(5) == 0 ? 0 : static_cast<std::uint32_t>(random.below(size.weights));
  }
  return table;
}

template <class Scheduler>
std::optional<Sent> random_cycle(RandomStream& random, const Size& size, EgressPort& port, Scheduler& scheduler) {
  return random_decision(random, size.levels, size.sizes, port, scheduler);
}

std::unique_ptr<LockstepScheduler> lockstep(const ArbitrationTable& table, unsigned counter_bits,
                                            std::unique_ptr<SchedulerRtl> core, const std::string& path,
                                            std::function<std::string()> now, LockstepCount& count) {
  return std::make_unique<LockstepScheduler>(kDtableRtl, std::make_unique<DeficitTable>(table, counter_bits),
                                             std::move(core), path, std::move(now), count);
}

class DtableRtlTest : public ::testing::TestWithParam<Size> {
 protected:
  std::shared_ptr<VerilatedContext> context_ = make_rtl_context();
};

TEST_P(DtableRtlTest, RtlDecidesLikeTheModel) {
  const Size& size = GetParam();
  std::size_t grants = 0;
  std::uint64_t saturations = 0;
  for (std::uint64_t seed = 0; seed < 10 * static_cast<std::uint64_t>(soak()); ++seed) {
    RandomStream setup(seed, "table");
    const ArbitrationTable table = random_table(setup, size);
    ASSERT_EQ(compiled_dtable(table, size.counter_bits), size.compiled);
    DeficitTable model(table, size.counter_bits);
    RtlScheduler rtl(kDtableRtl, make_dtable_rtl(*context_, table, size.counter_bits, "dtable_rtl"));
    EgressPort model_port;
    EgressPort rtl_port;
    RandomStream model_random(seed, "cycles");
    RandomStream rtl_random(seed, "cycles");
    for (int cycle = 0; cycle < 2000; ++cycle) {
      const auto a = random_cycle(model_random, size, model_port, model);
      const auto b = random_cycle(rtl_random, size, rtl_port, rtl);
      ASSERT_EQ(a, b) << "seed " << seed << " cycle " << cycle;
      grants += a ? 1 : 0;
    }
    EXPECT_EQ(model.saturations(), rtl.saturations());
    saturations += model.saturations();
  }
  EXPECT_GT(grants, 1000U);
  EXPECT_EQ(saturations > 0, size.counter_bits != 0);
}

TEST_P(DtableRtlTest, LockstepAgrees) {
  const Size& size = GetParam();
  std::size_t grants = 0;
  for (std::uint64_t seed = 100; seed < 100 + 10 * static_cast<std::uint64_t>(soak()); ++seed) {
    RandomStream random(seed, "lockstep");
    const ArbitrationTable table = random_table(random, size);
    LockstepCount count;
    const auto both = lockstep(
        table, size.counter_bits, make_dtable_rtl(*context_, table, size.counter_bits, "dtable_rtl"),
        "sw[0].out[1].dtable", [] { return std::string("0ns"); }, count);
    EgressPort port;
    for (int cycle = 0; cycle < 2000; ++cycle) grants += random_cycle(random, size, port, *both) ? 1 : 0;
  }
  EXPECT_GT(grants, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Sizes, DtableRtlTest,
                         ::testing::Values(Size{2, 1, 9, 5, 0, kSmallDtable}, Size{8, 64, 100, 32, 0, kSmallDtable},
                                           Size{16, 33, 65536, 65535, 0, kSmallDtable},
                                           Size{32, 128, 40, 64, 0, kLargeDtable}, Size{5, 90, 40, 64, 0, kLargeDtable},
                                           Size{8, 64, 256, 255, 8, kIbDtable}));

// The first decision in which a faulty copy differs, and what lockstep says about it.
template <class V>
std::string caught(const ArbitrationTable& table, EgressPort& port, const std::function<void(int)>& before) {
  const auto context = make_rtl_context();
  int cycle = 0;
  LockstepCount count;
  const auto both = lockstep(
      table, 0, std::make_unique<VerilatedDtable<V, kSmallDtable>>(*context, table, "faulty"), "sw[3].out[2].dtable",
      [&] { return fmt::format("{}ns (cycle {})", 5 * cycle, cycle); }, count);
  try {
    for (; cycle < 100; ++cycle) {
      before(cycle);
      port.step(*both);
    }
  } catch (const RunError& e) {
    return e.what();
  }
  return "nothing";
}

// SL 0 sends 2 of 3 credits, SL 1 one; SL 0 is without credits in cycle 2 and must begin anew in cycle 3: 3 credits do
// not cover its message of 4, but 3 + 1 would.
TEST(DtableLockstep, KeptDeficitIsCaughtWhenItShows) {
  EgressPort port;
  for (const std::uint32_t size : {2U, 4U, 4U}) port.push(0, size);
  for (int i = 0; i < 20; ++i) port.push(1, 1);
  const auto text = caught<Vdtable_keeps>({{0, 3}, {1, 1}}, port, [&](int cycle) { port.block(0, cycle == 2); });
  EXPECT_THAT(text, HasSubstr("lockstep difference in sw[3].out[2].dtable at 15ns (cycle 3)"));
  EXPECT_THAT(text, HasSubstr("active SLs, with the credits of their head messages: SL 0: 4, SL 1: 1"));
  EXPECT_THAT(text, HasSubstr("model after this step: entry 0 of SL 0 with 3 credits left; deficits: none"));
  EXPECT_THAT(text, HasSubstr("model grants nothing"));
  EXPECT_THAT(text, HasSubstr("rtl grants SL 0"));
}

TEST(DtableLockstep, StayingWithAnEntryIsCaughtWhenItShows) {
  EgressPort port;
  for (int i = 0; i < 5; ++i) port.push(0, 1);
  for (int i = 0; i < 5; ++i) port.push(6, 1);
  const auto text = caught<Vdtable_stays>({{0, 2}, {6, 1}}, port, [](int) {});
  // The first search begins at the last entry of the block, which is empty; the entry stays from cycle 2 on.
  EXPECT_THAT(text, HasSubstr("at 10ns (cycle 2)"));
  EXPECT_THAT(text, HasSubstr("model grants SL 6"));
  EXPECT_THAT(text, HasSubstr("rtl grants SL 0"));
}

TEST(DtableRtlLimit, SaysWhatTheCompiledRtlDoesNotTake) {
  const auto limit = [](const ArbitrationTable& table, unsigned bits, std::uint32_t message) {
    const auto found = dtable_rtl_limit(table, bits, message);
    EXPECT_TRUE(found.has_value() || compiled_dtable(table, bits).has_value());
    return found;
  };
  const auto is = [](SchedulerRtlLimit::Of of, std::size_t entry, const char* text) {
    return Optional(AllOf(Field(&SchedulerRtlLimit::of, of), Field(&SchedulerRtlLimit::entry, entry),
                          Field(&SchedulerRtlLimit::text, HasSubstr(text))));
  };
  using Of = SchedulerRtlLimit::Of;
  EXPECT_FALSE(limit(ArbitrationTable(128, TableEntry{31, 65535}), 0, 65535).has_value());
  EXPECT_FALSE(limit(ArbitrationTable(64, TableEntry{15, 255}), 8, 65535).has_value());
  EXPECT_FALSE(limit({}, 0, 1).has_value());
  EXPECT_THAT(limit(ArbitrationTable(129), 0, 1), is(Of::table, 0, "a table of 129 entries; the compiled RTL has 128"));
  EXPECT_THAT(limit(ArbitrationTable(65), 8, 1),
              is(Of::table, 0, "65 entries; the compiled RTL with counters of 8 bits has 64"));
  EXPECT_THAT(limit({{0, 1}, {0, 65536}}, 0, 1), is(Of::weight, 1, "weight 65536"));
  EXPECT_THAT(limit({{0, 256}}, 8, 1), is(Of::weight, 0, "weight 256"));
  EXPECT_THAT(limit({{16, 1}}, 8, 1), is(Of::level, 0, "SL 16"));
  EXPECT_THAT(dtable_rtl_limit({}, 0, 65536), is(Of::messages, 0, "messages of 65536 credits"));
  EXPECT_THAT(dtable_rtl_limit({}, 9, 1), is(Of::counters, 0, "counters of 9 bits"));
  EXPECT_THROW(make_dtable_rtl(*make_rtl_context(), ArbitrationTable(129), 0, "x"), std::invalid_argument);
}

TEST(DtableRtlLimit, TooLargeMessageStopsTheRun) {
  const auto context = make_rtl_context();
  RtlScheduler rtl(kDtableRtl, make_dtable_rtl(*context, {{0, 1}}, 0, "dtable_rtl"));
  EgressPort port;
  port.push(0, 65536);
  EXPECT_THROW(port.step(rtl), RunError);
}

}  // namespace
}  // namespace weft::test
