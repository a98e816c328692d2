// iq_router on its pins, beside the model's router: random packets, credits, loads and resets.

#include <cstdint>
#include <string>

#include "Viq_router_pins_classes.h"
#include "Viq_router_pins_no_stages.h"
#include "Viq_router_pins_plain.h"
#include "Viq_router_pins_trunks.h"
#include "iq/link_pin_case.h"
#include "iq/router_bench.h"
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
  using Bench = RouterBench<V>;
  static constexpr std::uint64_t kCycles = 1000;
  static RouterShape shape() { return kShape(); }
};

template <class S>
void register_size(const std::string& size) {
  register_random<S>("iq_router", size);
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
  register_fault<Size<Viq_router_pins_late_pointer, no_stages>>("iq_router", "late_pointer");
  register_fault<Size<Viq_router_pins_not_empty, no_stages>>("iq_router", "not_empty");
  register_fault<Size<Viq_router_pins_wrong_candidate, trunks>>("iq_router", "wrong_candidate");
#endif
  return true;
}();

}  // namespace
}  // namespace weft::pins
