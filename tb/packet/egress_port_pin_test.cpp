// egress_port on its pins, beside the model's egress port: random tables, buffers, messages, credits and resets.

#include <memory>
#include <string>

#include "Vegress_port_pins_arbiter.h"
#include "Vegress_port_pins_one_vl.h"
#include "Vegress_port_pins_plain.h"
#include "Vegress_port_pins_turns.h"
#include "packet/egress_port_bench.h"
#include "tdm/pin_test.h"
#ifndef WEFT_PIN_FEW_SIZES
#include "Vegress_port_pins_first_vl.h"
#include "Vegress_port_pins_late_decision.h"
#include "Vegress_port_pins_lost_place.h"
#endif

namespace weft::pins {
namespace {

// The parameters of CMakeLists.txt.
constexpr EgressShape kPlain{0, 4, 2, 8, 5, 4, 15, 24, 1, 1, 32};
constexpr EgressShape kTurns{1, 5, 3, 1, 4, 4, 21, 13, 2, 3, 17};
constexpr EgressShape kArbiter{2, 6, 4, 7, 8, 5, 31, 40, 3, 2, 70};
constexpr EgressShape kOneVl{0, 2, 1, 1, 1, 3, 5, 7, 1, 1, 8};

template <class V, EgressShape kShape>
struct EgressSize {
  using Dut = V;
  static EgressShape shape() { return kShape; }
};

template <class S>
class EgressPins : public PinTest {
 public:
  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<EgressPortBench<typename S::Dut>>("egress_port_bench", S::shape());
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void random() {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { bench_->run(kCycles, seed); });
    EXPECT_GT(bench_->messages(), 100 * seed_count());
  }

  // The block is a faulty copy.
  void fault_shows() {
    for (std::uint64_t seed = 1; seed <= seed_count() && bench_->errors().count() == 0; ++seed)
      bench_->run(kCycles, seed);
    EXPECT_GT(bench_->errors().count(), 0U) << "the bench does not see the fault";
  }

 private:
  static constexpr Cycle kCycles = 2000;
  std::unique_ptr<EgressPortBench<typename S::Dut>> bench_;
};

template <class V, EgressShape kShape>
void register_egress(const std::string& size) {
  using Pins = EgressPins<EgressSize<V, kShape>>;
  register_cases<Pins>("egress_port", size, {{"Random", &Pins::random}});
}

template <class V, EgressShape kShape>
[[maybe_unused]] void register_egress_fault(const std::string& fault) {
  using Pins = EgressPins<EgressSize<V, kShape>>;
  register_cases<Pins>("egress_port", fault, {{"FaultShows", &Pins::fault_shows}});
}

const bool kEgressRegistered = [] {
  register_egress<Vegress_port_pins_plain, kPlain>("plain");
  register_egress<Vegress_port_pins_turns, kTurns>("turns");
  register_egress<Vegress_port_pins_arbiter, kArbiter>("arbiter");
  register_egress<Vegress_port_pins_one_vl, kOneVl>("one_vl");
#ifndef WEFT_PIN_FEW_SIZES
  register_egress_fault<Vegress_port_pins_late_decision, kPlain>("late_decision");
  register_egress_fault<Vegress_port_pins_first_vl, kPlain>("first_vl");
  register_egress_fault<Vegress_port_pins_lost_place, kTurns>("lost_place");
#endif
  return true;
}();

}  // namespace
}  // namespace weft::pins
