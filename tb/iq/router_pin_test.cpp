// iq_router on its pins, beside the model's router: random packets, credits, loads and resets.

#include <memory>
#include <string>

#include "Viq_router_pins_classes.h"
#include "Viq_router_pins_no_stages.h"
#include "Viq_router_pins_plain.h"
#include "Viq_router_pins_trunks.h"
#include "iq/router_bench.h"
#include "tdm/pin_test.h"
#ifndef WEFT_RTL_COVERAGE
#include "Viq_router_pins_slow.h"
#endif
#ifndef WEFT_PIN_FEW_SIZES
#include "Viq_router_pins_late_pointer.h"
#include "Viq_router_pins_not_empty.h"
#include "Viq_router_pins_wrong_candidate.h"
#endif

namespace weft::pins {
namespace {

// The parameters of CMakeLists.txt. Credits of the model take one cycle more than those of the block.
IqParameters parameters(std::uint32_t vcs, std::uint32_t buffer, IqAllocation allocation, std::uint32_t iterations,
                        IqReuse reuse) {
  IqParameters out;
  out.vcs = vcs;
  out.buffer = buffer;
  out.allocation = allocation;
  out.iterations = iterations;
  out.reuse = reuse;
  return out;
}

RouterShape plain() { return {5, 1, 1, 32, parameters(2, 8, IqAllocation::separable, 1, IqReuse::after_tail)}; }

RouterShape no_stages() {
  RouterShape out{3, 1, 1, 16, parameters(3, 1, IqAllocation::islip, 2, IqReuse::when_empty)};
  out.router.routing = out.router.vc_allocation = out.router.switch_allocation = out.router.crossbar = 0;
  return out;
}

RouterShape trunks() {
  RouterShape out{6, 4, 1, 24, parameters(3, 3, IqAllocation::separable, 1, IqReuse::when_empty)};
  out.router.buffer_write = 2;
  out.router.routing = 0;
  out.router.vc_allocation = 3;
  out.router.crossbar = 2;
  out.router.credit = 3;
  return out;
}

RouterShape classes() {
  RouterShape out{4, 3, 2, 40, parameters(4, 5, IqAllocation::islip, 3, IqReuse::after_tail)};
  out.router.buffer_write = 1;
  out.router.routing = 2;
  out.router.vc_allocation = 0;
  out.router.switch_allocation = 2;
  out.router.credit = 2;
  return out;
}

[[maybe_unused]] RouterShape slow() {
  RouterShape out{2, 1, 1, 8, parameters(2, 6, IqAllocation::separable, 1, IqReuse::after_tail)};
  out.router.routing = 5;
  out.router.vc_allocation = 8;
  out.router.switch_allocation = 3;
  return out;
}

template <class V, RouterShape (*kShape)()>
struct Size {
  using Dut = V;
  static RouterShape shape() { return kShape(); }
};

template <class S>
class RouterPins : public PinTest {
 public:
  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<RouterBench<typename S::Dut>>("router_bench", S::shape(), seed_count());
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void random() {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { bench_->run(1000, seed); });
    EXPECT_GT(bench_->flits(), 200 * seed_count());
  }

  // The block is a faulty copy.
  void fault_shows() {
    for (std::uint64_t seed = 1; seed <= seed_count() && bench_->errors().count() == 0; ++seed) bench_->run(1000, seed);
    EXPECT_GT(bench_->errors().count(), 0U) << "the bench does not see the fault";
  }

 private:
  std::unique_ptr<RouterBench<typename S::Dut>> bench_;
};

template <class S>
void register_size(const std::string& size) {
  register_cases<RouterPins<S>>("iq_router", size, {{"Random", &RouterPins<S>::random}});
}

template <class S>
[[maybe_unused]] void register_fault(const std::string& fault) {
  register_cases<RouterPins<S>>("iq_router", fault, {{"FaultShows", &RouterPins<S>::fault_shows}});
}

const bool kRegistered = [] {
  register_size<Size<Viq_router_pins_plain, plain>>("plain");
  register_size<Size<Viq_router_pins_no_stages, no_stages>>("no_stages");
  register_size<Size<Viq_router_pins_trunks, trunks>>("trunks");
  register_size<Size<Viq_router_pins_classes, classes>>("classes");
#ifndef WEFT_RTL_COVERAGE
  register_size<Size<Viq_router_pins_slow, slow>>("slow");
#endif
#ifndef WEFT_PIN_FEW_SIZES
  register_fault<Size<Viq_router_pins_late_pointer, no_stages>>("late_pointer");
  register_fault<Size<Viq_router_pins_not_empty, no_stages>>("not_empty");
  register_fault<Size<Viq_router_pins_wrong_candidate, trunks>>("wrong_candidate");
#endif
  return true;
}();

}  // namespace
}  // namespace weft::pins
