// slot_lut on its pins: corners, random requests with stalls, resets.

#include <algorithm>

#include "Vslot_lut_pins_16x64.h"
#include "Vslot_lut_pins_1x2.h"
#include "Vslot_lut_pins_5x8.h"
#include "Vslot_lut_pins_7x37.h"
#include "tdm/pin_test.h"
#include "tdm/slot_lut_bench.h"
#ifndef WEFT_PIN_FEW_SIZES
#include "Vslot_lut_pins_128x256.h"
#endif

namespace weft::pins {
namespace {

template <class V, std::uint32_t kRowsOf, std::uint32_t kSlotsOf>
struct Size {
  using Dut = V;
  static constexpr std::uint32_t kRows = kRowsOf;
  static constexpr std::uint32_t kSlots = kSlotsOf;
  static std::string name() { return fmt::format("{}x{}", kRows, kSlots); }
};

template <class S>
class SlotLutPins : public PinTest {
 public:
  using Bench = SlotLutBench<typename S::Dut>;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("slot_lut_bench", S::kRows, S::kSlots);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void corners() {
    SlotLutInputs idle;
    idle.slots = Bits(S::kSlots);
    idle.reset_n = false;
    bench_->run(2, [&] { return idle; });
    auto script = slot_lut_corners(S::kRows, S::kSlots);
    const std::size_t requests =
        static_cast<std::size_t>(std::count_if(script.begin(), script.end(), [](const auto& in) { return in.valid; }));
    bench_->run(static_cast<Cycle>(script.size()), [&] {
      SlotLutInputs in = script.front();
      script.pop_front();
      return in;
    });
    bench_->end();
    EXPECT_EQ(bench_->responses(), requests);
    EXPECT_EQ(bench_->errors().count(), 0U) << bench_->errors().text();
  }
  void gaps() { random_requests(Mode::gaps, false); }
  void bursts() { random_requests(Mode::bursts, false); }
  void back_to_back() { random_requests(Mode::back_to_back, false); }
  void resets_in_between() { random_requests(Mode::gaps, true); }

 private:
  /// One to three cycles of reset, with requests that must be ignored.
  void reset(SlotLutDriver& driver, RandomStream& random) {
    bench_->run(1 + static_cast<Cycle>(random.below(3)), [&] {
      SlotLutInputs in = driver.next();
      in.reset_n = false;
      return in;
    });
  }

  void random_requests(Mode mode, bool resets) {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "slot_lut case");
      SlotLutDriver driver(bench_->reference(), mode, seed);
      reset(driver, random);
      for (std::uint64_t part = 0; part < (resets ? 8U : 1U); ++part) {
        const auto cycles = static_cast<Cycle>(random.below(resets ? 80 : 800));
        bench_->run(cycles, [&] { return driver.next(); });
        if (resets) reset(driver, random);
      }
      bench_->end();
    });
    EXPECT_GT(bench_->responses(), 0U);
    for (const std::uint32_t op : {0U, 1U, 2U}) {
      EXPECT_GT(bench_->reference().count(op, true), 0U) << "operation " << op << " was never done";
      EXPECT_GT(bench_->reference().count(op, false), 0U) << "operation " << op << " was never refused";
    }
    EXPECT_GT(bench_->reference().count(3, false), 0U);
  }

  std::unique_ptr<Bench> bench_;
};

template <class... Sizes>
bool register_sizes() {
  (register_cases<SlotLutPins<Sizes>>("slot_lut", Sizes::name(),
                                      {{"Corners", &SlotLutPins<Sizes>::corners},
                                       {"Gaps", &SlotLutPins<Sizes>::gaps},
                                       {"Bursts", &SlotLutPins<Sizes>::bursts},
                                       {"BackToBack", &SlotLutPins<Sizes>::back_to_back},
                                       {"ResetsInBetween", &SlotLutPins<Sizes>::resets_in_between}}),
   ...);
  return true;
}
const bool kRegistered = register_sizes<Size<Vslot_lut_pins_1x2, 1, 2>, Size<Vslot_lut_pins_5x8, 5, 8>,
                                        Size<Vslot_lut_pins_7x37, 7, 37>, Size<Vslot_lut_pins_16x64, 16, 64>>();
#ifndef WEFT_PIN_FEW_SIZES
const bool kLargeRegistered = register_sizes<Size<Vslot_lut_pins_128x256, 128, 256>>();
#endif

}  // namespace
}  // namespace weft::pins
