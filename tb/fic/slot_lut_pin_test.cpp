// slot_lut on its pins: corners, random requests with stalls, resets.

#include <algorithm>

#include "Vslot_lut_pins_128x256.h"
#include "Vslot_lut_pins_16x64.h"
#include "Vslot_lut_pins_1x2.h"
#include "Vslot_lut_pins_5x8.h"
#include "fic/pin_test.h"
#include "fic/slot_lut_bench.h"

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
 protected:
  using Bench = SlotLutBench<typename S::Dut>;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("slot_lut_bench", S::kRows, S::kSlots);
    if (const auto file = waves_file("slot_lut", S::name())) bench_->waves(*file);
  }

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

using Sizes = ::testing::Types<Size<Vslot_lut_pins_1x2, 1, 2>, Size<Vslot_lut_pins_5x8, 5, 8>,
                               Size<Vslot_lut_pins_16x64, 16, 64>, Size<Vslot_lut_pins_128x256, 128, 256>>;
TYPED_TEST_SUITE(SlotLutPins, Sizes, SizeName);

TYPED_TEST(SlotLutPins, Corners) {
  SlotLutInputs idle;
  idle.slots = Bits(TypeParam::kSlots);
  idle.reset_n = false;
  this->bench_->run(2, [&] { return idle; });
  auto script = slot_lut_corners(TypeParam::kRows, TypeParam::kSlots);
  const std::size_t requests =
      static_cast<std::size_t>(std::count_if(script.begin(), script.end(), [](const auto& in) { return in.valid; }));
  this->bench_->run(static_cast<Cycle>(script.size()), [&] {
    const SlotLutInputs in = script.front();
    script.pop_front();
    return in;
  });
  this->bench_->end();
  EXPECT_EQ(this->bench_->responses(), requests);
  EXPECT_EQ(this->bench_->errors().count(), 0U) << this->bench_->errors().text();
}

TYPED_TEST(SlotLutPins, Gaps) { this->random_requests(Mode::gaps, false); }
TYPED_TEST(SlotLutPins, Bursts) { this->random_requests(Mode::bursts, false); }
TYPED_TEST(SlotLutPins, BackToBack) { this->random_requests(Mode::back_to_back, false); }
TYPED_TEST(SlotLutPins, ResetsInBetween) { this->random_requests(Mode::gaps, true); }

}  // namespace
}  // namespace weft::pins
