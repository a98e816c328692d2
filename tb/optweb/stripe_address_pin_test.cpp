// stripe_address on its pins: requests near every bound, at any pace, with resets.

#include "Vstripe_address_pins_16.h"
#include "Vstripe_address_pins_3.h"
#include "optweb/stripe_address_bench.h"
#include "tdm/pace.h"
#include "tdm/pin_test.h"
#include "tdm/wave_views.h"

namespace weft::pins {
namespace {

template <class V, std::uint32_t kStripes, std::uint64_t kCapacity, unsigned kAddressBits, unsigned kIndexBits>
struct Size {
  using Dut = V;
  static constexpr optweb::StripeGeometry kGeometry{kCapacity, kStripes};
  /// A piece whose begin or end is near a bound of its stripe or of an interface, or anywhere.
  static optweb::StripeRequest request(RandomStream& random) {
    const std::uint64_t mask = (std::uint64_t{1} << kAddressBits) - 1;
    const auto near = [&](std::uint64_t bound) { return (bound + random.below(5) - 2) & mask; };
    optweb::StripeRequest r;
    r.index = static_cast<std::uint32_t>(random.below(5) == 0 ? random.below(std::uint64_t{1} << kIndexBits)
                                                              : random.below(kStripes + 1));
    r.base = random.below(2) == 0 ? near(kCapacity * random.below(3)) : random.below(2 * kCapacity);
    const std::uint64_t end = kCapacity * (1 + random.below(2));
    r.size = random.below(3) == 0   ? near(end - r.base)
             : random.below(6) == 0 ? random.below(mask + 1)
                                    : random.below(kCapacity);
    return r;
  }
};

template <class S>
class StripeAddressPins : public PinTest {
 public:
  using Bench = StripeAddressBench<typename S::Dut>;
  using Inputs = typename Bench::Inputs;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("stripe_address_bench", S::kGeometry);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void gaps() { random_traffic(Mode::gaps, false); }
  void back_to_back() { random_traffic(Mode::back_to_back, false); }
  void resets_in_between() { random_traffic(Mode::bursts, true); }

  static Inputs inputs(RandomStream& random, Pace& pace) {
    Inputs in;
    if (pace.next(random)) in.request = S::request(random);
    return in;
  }

 private:
  void random_traffic(Mode mode, bool resets) {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "stripe case");
      for (std::uint64_t part = 0; part < (resets ? 6U : 1U); ++part) {
        Pace pace(mode, random);
        bench_->run(1 + static_cast<Cycle>(random.below(3)), [&] {
          Inputs in = inputs(random, pace);
          in.reset_n = false;
          return in;
        });
        bench_->run(static_cast<Cycle>(resets ? random.below(100) : 1000), [&] { return inputs(random, pace); });
      }
    });
    for (const auto error : {optweb::StripeError::kNone, optweb::StripeError::kRange, optweb::StripeError::kOverlap}) {
      EXPECT_GT(bench_->answers(error), 100U);
    }
  }

  std::unique_ptr<Bench> bench_;
};

using Three = Size<Vstripe_address_pins_3, 3, 5, 5, 3>;
using Sixteen = Size<Vstripe_address_pins_16, 16, std::uint64_t{1} << 28, 33, 6>;

template <class S>
void register_size(const std::string& size) {
  register_cases<StripeAddressPins<S>>("stripe_address", size,
                                       {{"Gaps", &StripeAddressPins<S>::gaps},
                                        {"BackToBack", &StripeAddressPins<S>::back_to_back},
                                        {"ResetsInBetween", &StripeAddressPins<S>::resets_in_between}});
}

const bool kRegistered = [] {
  register_size<Three>("3");
  register_size<Sixteen>("16");
  return true;
}();

TEST_F(WaveViews, StripeAddress) {
  StripeAddressBench<Vstripe_address_pins_16> bench("stripe_address_bench", Sixteen::kGeometry);
  RandomStream random(1, "waves");
  Pace pace(Mode::gaps, random);
  check("stripe_address", bench, [&] {
    bench.run(100, [&] {
      auto in = StripeAddressPins<Sixteen>::inputs(random, pace);
      in.reset_n = bench.cycle() > 1;
      return in;
    });
  });
}

}  // namespace
}  // namespace weft::pins
