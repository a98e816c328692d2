// dtable, drr and ib_arbiter on their pins: the paper's example, random traffic with stalls and table writes, resets.

#include "Vdrr_pins_16.h"
#include "Vdrr_pins_5.h"
#include "Vdtable_pins_16x64.h"
#include "Vdtable_pins_2x1.h"
#include "Vdtable_pins_5x37.h"
#include "Vdtable_pins_5x7.h"
#include "Vib_arbiter_pins_16x64.h"
#include "Vib_arbiter_pins_2x1.h"
#include "Vib_arbiter_pins_32x33.h"
#include "Vib_arbiter_pins_5x7.h"
#include "packet/scheduler_bench.h"
#include "tdm/pin_test.h"
#include "tdm/wave_views.h"
#ifndef WEFT_PIN_FEW_SIZES
#include "Vdrr_pins_drr_first_turn.h"
#include "Vdrr_pins_drr_looks_idle.h"
#include "Vdtable_pins_32x128.h"
#include "Vdtable_pins_dtable_first_entry.h"
#include "Vdtable_pins_dtable_looks_idle.h"
#include "Vib_arbiter_pins_endless_turn.h"
#include "Vib_arbiter_pins_keeps_count.h"
#include "Vib_arbiter_pins_late_limit.h"
#endif

namespace weft::pins {
namespace {

template <class V, std::uint32_t kLevels, std::uint32_t kEntries, std::uint32_t kWeightBits, std::uint32_t kSizeBits,
          std::uint32_t kCounterBits>
struct Size {
  using Dut = V;
  static constexpr SchedulerShape kShape{kLevels, kEntries, kWeightBits, kSizeBits, kCounterBits};
  static constexpr bool kSaturates = kEntries > 0 && (1U << kSizeBits) - 2 + (1U << kWeightBits) - 1 >
                                                         (1U << kCounterBits) - 1;  // deficit and weight
  static std::string name() {
    return kEntries > 0 ? fmt::format("{}x{}", kLevels, kEntries) : fmt::format("{}", kLevels);
  }
};

template <class V, std::uint32_t kLevels, std::uint32_t kEntries, std::uint32_t kSizeBits>
struct TwoTables {
  using Dut = V;
  static constexpr SchedulerShape kShape{kLevels, kEntries, 8, kSizeBits, 0, true};
  static constexpr bool kSaturates = false;
  static std::string name() { return fmt::format("{}x{}", kLevels, kEntries); }
};

template <class S>
class SchedulerPins : public PinTest {
 public:
  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<SchedulerBench<typename S::Dut>>("scheduler_bench", S::kShape);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void gaps() { random_traffic(Mode::gaps, false); }
  void bursts() { random_traffic(Mode::bursts, false); }
  void back_to_back() { random_traffic(Mode::back_to_back, false); }
  void resets_in_between() { random_traffic(Mode::gaps, true); }

  // Entries that are not written after a reset have no weight, whatever they held before it.
  void few_entries() {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "scheduler case of few entries");
      for (std::uint64_t part = 0; part < 6; ++part) {
        SchedulerDriver driver(S::kShape, Mode::gaps, seed + 1000 * part);
        if (part % 2 == 1)
          driver.write_only(static_cast<std::uint32_t>(random.below(std::uint64_t{2} * S::kShape.indices())));
        const auto taken = [&](std::optional<ServiceLevel> grant) { driver.taken(grant); };
        bench_->run(
            1, [&] { return driver.next_in_reset(); }, taken);
        bench_->run(
            static_cast<Cycle>(2 * S::kShape.indices() + 50), [&] { return driver.next(); }, taken);
      }
    });
    EXPECT_GT(bench_->grants(), 100U);
  }

  // The block is a faulty copy.
  void fault_shows() {
    for (std::uint64_t seed = 1; seed <= 25 && bench_->errors().count() == 0; ++seed) one_seed(Mode::gaps, false, seed);
    EXPECT_GT(bench_->errors().count(), 0U) << "the bench does not see the fault";
  }

  // SL 0 in the high-priority table, SL 1 in the low-priority one, messages of 16 credits and a limit of 64: four of
  // high priority, then one of low priority; and none of SL 2, which no table has.
  void limit_of_high_priority() {
    std::uint32_t cycle = 0;
    std::vector<int> granted;
    bench_->watch([&](const SchedulerOutputs& out) { granted.push_back(out.grant ? *out.grant : -1); });
    bench_->run(
        14,
        [&] {
          SchedulerInputs in;
          in.reset_n = cycle >= 2;
          in.write = cycle == 2 || cycle == 3;
          in.high = cycle == 2;
          in.entry = {static_cast<ServiceLevel>(cycle - 2), 255};
          in.limit = 1;
          in.decide = cycle >= 4;
          in.view.active = 7;
          for (ServiceLevel sl = 0; sl < 3; ++sl) in.view.head[sl] = 16;
          ++cycle;
          return in;
        },
        [](std::optional<ServiceLevel>) {});
    EXPECT_EQ(granted, (std::vector<int>{-1, -1, -1, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
    EXPECT_EQ(bench_->errors().count(), 0U) << bench_->errors().text();
  }

  // Figure 3 of the paper: weight 3, three messages of 2 credits in SL 0, none in SL 1. All in three cycles, without
  // the reference. drr with a quantum of 3 does the same.
  void figure_3() {
    std::uint32_t queued = 3;
    std::uint32_t cycle = 0;
    std::vector<int> granted;
    bench_->watch([&](const SchedulerOutputs& out) { granted.push_back(out.grant ? *out.grant : -1); });
    bench_->run(
        12,
        [&] {
          SchedulerInputs in;
          in.reset_n = cycle >= 2;
          in.write = cycle == 2 || cycle == 3;
          in.index = cycle - 2;
          in.entry = {static_cast<ServiceLevel>(cycle - 2), 3};
          in.decide = cycle >= 4;
          in.view.active = queued > 0 ? 1U : 0U;
          in.view.head[0] = 2;
          ++cycle;
          return in;
        },
        [&](std::optional<ServiceLevel> grant) { queued -= grant ? 1 : 0; });
    EXPECT_EQ(granted, (std::vector<int>{-1, -1, -1, -1, 0, 0, 0, -1, -1, -1, -1, -1}));
    EXPECT_EQ(bench_->errors().count(), 0U) << bench_->errors().text();
  }

 private:
  void one_seed(Mode mode, bool resets, std::uint64_t seed) {
    RandomStream random(seed, "scheduler case");
    for (std::uint64_t part = 0; part < (resets ? 6U : 1U); ++part) {
      SchedulerDriver driver(S::kShape, mode, seed + 1000 * part);
      const auto taken = [&](std::optional<ServiceLevel> grant) { driver.taken(grant); };
      bench_->run(
          1 + static_cast<Cycle>(random.below(3)), [&] { return driver.next_in_reset(); }, taken);
      bench_->run(
          static_cast<Cycle>(resets ? random.below(200) : 1000), [&] { return driver.next(); }, taken);
    }
  }

  void random_traffic(Mode mode, bool resets) {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { one_seed(mode, resets, seed); });
    EXPECT_GT(bench_->grants(), 100U);
    EXPECT_EQ(bench_->saturations() > 0, S::kSaturates);
  }

  std::unique_ptr<SchedulerBench<typename S::Dut>> bench_;
};

template <class S>
void register_size(const std::string& block) {
  register_cases<SchedulerPins<S>>(block, S::name(),
                                   {{"Gaps", &SchedulerPins<S>::gaps},
                                    {"Bursts", &SchedulerPins<S>::bursts},
                                    {"BackToBack", &SchedulerPins<S>::back_to_back},
                                    {"ResetsInBetween", &SchedulerPins<S>::resets_in_between}});
  if constexpr (S::kShape.two_tables && S::kShape.entries > 1) {
    register_cases<SchedulerPins<S>>(
        block, S::name(),
        {{"Limit", &SchedulerPins<S>::limit_of_high_priority}, {"FewEntries", &SchedulerPins<S>::few_entries}});
  } else if constexpr (S::kShape.entries != 1) {
    register_cases<SchedulerPins<S>>(block, S::name(), {{"Figure3", &SchedulerPins<S>::figure_3}});
  }
}

template <class S>
[[maybe_unused]] void register_fault(const std::string& block, const std::string& mutant) {
  register_cases<SchedulerPins<S>>(block, mutant, {{"FaultShows", &SchedulerPins<S>::fault_shows}});
}

const bool kRegistered = [] {
  register_size<Size<Vdtable_pins_2x1, 2, 1, 1, 1, 1>>("dtable");
  register_size<Size<Vdtable_pins_5x7, 5, 7, 4, 5, 4>>("dtable");
  register_size<Size<Vdtable_pins_5x37, 5, 37, 4, 5, 6>>("dtable");
  register_size<Size<Vdtable_pins_16x64, 16, 64, 8, 6, 9>>("dtable");
  register_size<Size<Vdrr_pins_5, 5, 0, 4, 5, 6>>("drr");
  register_size<Size<Vdrr_pins_16, 16, 0, 8, 6, 9>>("drr");
  register_size<TwoTables<Vib_arbiter_pins_2x1, 2, 1, 1>>("ib_arbiter");
  register_size<TwoTables<Vib_arbiter_pins_5x7, 5, 7, 6>>("ib_arbiter");
  register_size<TwoTables<Vib_arbiter_pins_16x64, 16, 64, 6>>("ib_arbiter");
  register_size<TwoTables<Vib_arbiter_pins_32x33, 32, 33, 16>>("ib_arbiter");
#ifndef WEFT_PIN_FEW_SIZES
  register_size<Size<Vdtable_pins_32x128, 32, 128, 8, 8, 9>>("dtable");
  register_fault<TwoTables<Vib_arbiter_pins_keeps_count, 5, 7, 6>>("ib_arbiter", "keeps_count");
  register_fault<TwoTables<Vib_arbiter_pins_late_limit, 5, 7, 6>>("ib_arbiter", "late_limit");
  register_fault<TwoTables<Vib_arbiter_pins_endless_turn, 5, 7, 6>>("ib_arbiter", "endless_turn");
  register_fault<Size<Vdtable_pins_dtable_looks_idle, 5, 7, 4, 5, 4>>("dtable", "looks_idle");
  register_fault<Size<Vdtable_pins_dtable_first_entry, 5, 7, 4, 5, 4>>("dtable", "first_entry");
  register_fault<Size<Vdrr_pins_drr_looks_idle, 5, 0, 4, 5, 6>>("drr", "looks_idle");
  register_fault<Size<Vdrr_pins_drr_first_turn, 5, 0, 4, 5, 6>>("drr", "first_turn");
#endif
  return true;
}();

TEST_F(WaveViews, Dtable) {
  const SchedulerShape shape{16, 64, 8, 6, 9};
  SchedulerBench<Vdtable_pins_16x64> bench("scheduler_bench", shape);
  SchedulerDriver driver(shape, Mode::gaps, 1);
  check("dtable", bench, [&] {
    bench.run(
        200,
        [&] {
          SchedulerInputs in = driver.next();
          in.reset_n = bench.cycle() > 1;
          return in;
        },
        [&](std::optional<ServiceLevel> grant) { driver.taken(grant); });
  });
}

}  // namespace
}  // namespace weft::pins
