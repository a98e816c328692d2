// switch_control on its pins: instructions with their notifications and words, with and without mistakes, resets.

#include "Vswitch_control_pins_16.h"
#include "Vswitch_control_pins_3.h"
#include "Vswitch_control_pins_8.h"
#include "optweb/switch_control_bench.h"
#include "support/control_stimulus.h"
#include "tdm/pin_test.h"
#include "tdm/wave_views.h"
#ifndef WEFT_PIN_FEW_SIZES
#include "Vswitch_control_pins_control_early_open.h"
#include "Vswitch_control_pins_control_not_kept.h"
#endif

namespace weft::pins {
namespace {

template <class V, std::uint32_t kPorts, std::uint32_t kWordBits, std::uint32_t kStepBits>
struct Size {
  using Dut = V;
  static constexpr ControlShape kShape{kPorts, kWordBits, kStepBits};
  static constexpr test::ControlStimulusShape kStimulus{kPorts, (std::uint64_t{1} << kWordBits) - 1,
                                                        (std::uint64_t{1} << kStepBits) - 1};
};

template <class S>
class SwitchControlPinTest : public PinTest {
 public:
  using Bench = SwitchControlBench<typename S::Dut>;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("switch_control_bench", S::kShape);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void instructions() {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { one_seed(seed, true, 1500); });
    EXPECT_GT(bench_->sent(), 200U);
    EXPECT_GT(bench_->received(), 200U);
    EXPECT_GT(bench_->noted(), 200U);
  }
  void mistakes() {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { one_seed(seed, false, 1500); });
    EXPECT_GT(bench_->sent(), 50U);
  }
  void resets_in_between() {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "resets");
      for (std::uint64_t part = 0; part < 12; ++part) {
        one_seed(12 * seed + part, part % 2 == 0, static_cast<Cycle>(random.below(120)));
      }
    });
  }
  // The block is a faulty copy.
  void fault_shows() {
    for (std::uint64_t seed = 1; seed <= 25 && bench_->errors().count() == 0; ++seed) one_seed(seed, true, 1500);
    EXPECT_GT(bench_->errors().count(), 0U) << "the bench does not see the fault";
  }

 private:
  void one_seed(std::uint64_t seed, bool careful, Cycle cycles) {
    const auto own = static_cast<std::uint32_t>(seed % S::kShape.ports);
    test::ControlStimulus stimulus(S::kStimulus, own, careful, seed);
    RandomStream random(seed, "reset");
    bench_->run(1 + static_cast<Cycle>(random.below(3)), [&](const optweb::SwitchControl& control) {
      return ControlInputs{false, own, stimulus.next(control)};
    });
    bench_->run(cycles, [&](const optweb::SwitchControl& control) {
      return ControlInputs{true, own, stimulus.next(control)};
    });
  }

  std::unique_ptr<Bench> bench_;
};

template <class S>
void register_size(const std::string& size) {
  using Test = SwitchControlPinTest<S>;
  register_cases<Test>("switch_control", size,
                       {{"Instructions", &Test::instructions},
                        {"Mistakes", &Test::mistakes},
                        {"ResetsInBetween", &Test::resets_in_between}});
}

const bool kRegistered = [] {
  register_size<Size<Vswitch_control_pins_3, 3, 4, 1>>("3");
  register_size<Size<Vswitch_control_pins_8, 8, 8, 2>>("8");
  register_size<Size<Vswitch_control_pins_16, 16, 36, 36>>("16");
#ifndef WEFT_PIN_FEW_SIZES
  using Open = SwitchControlPinTest<Size<Vswitch_control_pins_control_early_open, 8, 8, 2>>;
  register_cases<Open>("switch_control", "early_open", {{"FaultShows", &Open::fault_shows}});
  using Kept = SwitchControlPinTest<Size<Vswitch_control_pins_control_not_kept, 8, 8, 2>>;
  register_cases<Kept>("switch_control", "not_kept", {{"FaultShows", &Kept::fault_shows}});
#endif
  return true;
}();

TEST_F(WaveViews, SwitchControl) {
  using Bench = SwitchControlBench<Vswitch_control_pins_8>;
  Bench bench("switch_control_bench", {8, 8, 2});
  test::ControlStimulus stimulus({8, 255, 3}, 0, true, 1);
  check("switch_control", bench, [&] {
    bench.run(200, [&](const optweb::SwitchControl& control) {
      return ControlInputs{bench.cycle() > 1, 0, stimulus.next(control)};
    });
  });
}

}  // namespace
}  // namespace weft::pins
