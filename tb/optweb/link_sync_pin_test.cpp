// link_sync on its pins: Figure 1b of the paper, random traffic over a link with stalls, any lane coming in, resets.

#include "Vlink_sync_pins_256.h"
#include "Vlink_sync_pins_64.h"
#include "Vlink_sync_pins_7.h"
#include "optweb/link_sync_bench.h"
#include "tdm/pace.h"
#include "tdm/pin_test.h"
#include "tdm/wave_views.h"
#ifndef WEFT_PIN_FEW_SIZES
#include "Vlink_sync_pins_link_rest_kept.h"
#include "Vlink_sync_pins_link_short_gap.h"
#endif

namespace weft::pins {
namespace {

template <class V, std::uint32_t kWidth, std::uint32_t kGap>
struct Size {
  using Dut = V;
  static constexpr LinkSyncShape kShape{kWidth, kGap};
};

template <class S>
class LinkSyncPins : public PinTest {
 public:
  using Bench = LinkSyncBench<typename S::Dut>;
  using Inputs = typename Bench::Inputs;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("link_sync_bench", S::kShape);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void gaps() { random_traffic(Mode::gaps, false); }
  void bursts() { random_traffic(Mode::bursts, false); }
  void back_to_back() { random_traffic(Mode::back_to_back, false); }
  void resets_in_between() { random_traffic(Mode::gaps, true); }

  // The block is a faulty copy that does not reset a register: seen without a second reset, since it is random before
  // the first.
  void fault_shows_at_power_on() {
    one_seed(Mode::gaps, false, 1);
    EXPECT_GT(bench_->errors().count(), 0U) << "the bench does not see the fault";
  }
  // The block is a faulty copy.
  void fault_shows() {
    for (std::uint64_t seed = 1; seed <= 25 && bench_->errors().count() == 0; ++seed) one_seed(Mode::gaps, false, seed);
    EXPECT_GT(bench_->errors().count(), 0U) << "the bench does not see the fault";
  }

  // Lanes that no transmitter of ours sends: runs of any length with rests of any length.
  void any_lane() {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "any lane");
      Pace lane(seed % 2 == 0 ? Mode::gaps : Mode::bursts, random);
      bench_->run(2, [] { return Inputs{.reset_n = false, .pins = {}, .looped = false}; });
      bench_->run(1000, [&] {
        Inputs in{.reset_n = true, .pins = {}, .looped = false};
        in.pins.link_active = lane.next(random);
        in.pins.link_word = 1 + random.below(1U << 30);
        return in;
      });
    });
  }

  /// A notification waits by one pace, words by another; neither is sure to wait until it is taken.
  static Inputs random_inputs(RandomStream& random, Pace& words, Pace& notifications, std::uint64_t& number) {
    Inputs in;
    in.pins.valid = words.next(random);
    in.pins.notify = notifications.next(random);
    in.pins.word = ++number;
    return in;
  }

 private:
  void one_seed(Mode mode, bool resets, std::uint64_t seed) {
    RandomStream random(seed, "link case");
    for (std::uint64_t part = 0; part < (resets ? 6U : 1U); ++part) {
      Pace words(mode, random);
      Pace notifications(part % 2 == 0 ? Mode::bursts : Mode::gaps, random);
      bench_->run(1 + static_cast<Cycle>(random.below(3)), [&] {
        Inputs in = random_inputs(random, words, notifications, number_);
        in.reset_n = false;
        return in;
      });
      bench_->run(static_cast<Cycle>(resets ? random.below(100) : 1000),
                  [&] { return random_inputs(random, words, notifications, number_); });
    }
    bench_->run(20 + 2 * static_cast<Cycle>(S::kShape.gap), [] { return Inputs{}; });
    bench_->end();
  }

  void random_traffic(Mode mode, bool resets) {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { one_seed(mode, resets, seed); });
    EXPECT_GT(bench_->arrived(), 200U);
  }

  std::unique_ptr<Bench> bench_;
  std::uint64_t number_ = 0;  // of the words
};

template <class S>
void register_size(const std::string& size) {
  register_cases<LinkSyncPins<S>>("link_sync", size,
                                  {{"Gaps", &LinkSyncPins<S>::gaps},
                                   {"Bursts", &LinkSyncPins<S>::bursts},
                                   {"BackToBack", &LinkSyncPins<S>::back_to_back},
                                   {"AnyLane", &LinkSyncPins<S>::any_lane},
                                   {"ResetsInBetween", &LinkSyncPins<S>::resets_in_between}});
}

const bool kRegistered = [] {
  register_size<Size<Vlink_sync_pins_7, 7, 3>>("7");
  register_size<Size<Vlink_sync_pins_64, 64, 2>>("64");
  register_size<Size<Vlink_sync_pins_256, 256, 1>>("256");
#ifndef WEFT_PIN_FEW_SIZES
  using Fault = LinkSyncPins<Size<Vlink_sync_pins_link_short_gap, 64, 2>>;
  register_cases<Fault>("link_sync", "short_gap", {{"FaultShows", &Fault::fault_shows}});
  using NotReset = LinkSyncPins<Size<Vlink_sync_pins_link_rest_kept, 64, 2>>;
  register_cases<NotReset>("link_sync", "rest_not_reset",
                           {{"FaultShowsAtPowerOn", &NotReset::fault_shows_at_power_on}});
#endif
  return true;
}();

TEST_F(WaveViews, LinkSync) {
  using Bench = LinkSyncBench<Vlink_sync_pins_256>;
  Bench bench("link_sync_bench", {256, 1});
  RandomStream random(1, "waves");
  Pace words(Mode::bursts, random);
  Pace notifications(Mode::gaps, random);
  std::uint64_t number = 0;
  check("link_sync", bench, [&] {
    bench.run(200, [&] {
      auto in = LinkSyncPins<Size<Vlink_sync_pins_256, 256, 1>>::random_inputs(random, words, notifications, number);
      in.reset_n = bench.cycle() > 1;
      return in;
    });
  });
}

}  // namespace
}  // namespace weft::pins
