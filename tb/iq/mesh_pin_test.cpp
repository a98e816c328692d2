// iq_mesh on its pins, beside the model's mesh: random packets between nodes, credits, loads and resets.

#include <cstdint>
#include <string>

#include "Viq_mesh_pins_2x1.h"
#include "Viq_mesh_pins_2x2.h"
#include "iq/link_pin_case.h"
#include "iq/mesh_bench.h"
#ifndef WEFT_PIN_FEW_SIZES
#include "Viq_mesh_pins_late_credit.h"
#ifndef WEFT_RTL_COVERAGE
#include "Viq_mesh_pins_3x2.h"
#include "Viq_mesh_pins_4x4.h"
#endif
#endif

namespace weft::pins {
namespace {

// The parameters of CMakeLists.txt; others as in the model.
MeshShape two_by_two() {
  MeshShape out{2, 2, 5, {}};
  out.router.buffer = 2;
  out.router.routing = out.router.vc_allocation = out.router.switch_allocation = out.router.crossbar = 0;
  out.router.link = 2;
  out.router.credit = 3;
  out.router.reuse = IqReuse::when_empty;
  return out;
}

[[maybe_unused]] MeshShape three_by_two() {
  MeshShape out{3, 2, 6, {}};
  out.router.buffer = 2;
  out.router.routing = out.router.vc_allocation = out.router.switch_allocation = out.router.crossbar = 0;
  out.router.allocation = IqAllocation::islip;
  out.router.iterations = 2;
  return out;
}

[[maybe_unused]] MeshShape four_by_four() {
  MeshShape out{4, 4, 8, {}};
  out.router.vcs = 1;
  out.router.buffer = 4;
  return out;
}

MeshShape two_by_one() {
  MeshShape out{2, 1, 4, {}};
  out.router.vcs = 1;
  out.router.buffer = 2;
  return out;
}

template <class V, MeshShape (*kShape)(), std::uint64_t kSeedCycles = 1000>
struct MeshSize {
  using Bench = MeshBench<V>;
  static constexpr std::uint64_t kCycles = kSeedCycles;
  static MeshShape shape() { return kShape(); }
};

const bool kMeshes = [] {
  register_random<MeshSize<Viq_mesh_pins_2x1, two_by_one>>("iq_mesh", "2x1");
  register_random<MeshSize<Viq_mesh_pins_2x2, two_by_two>>("iq_mesh", "2x2");
#ifndef WEFT_PIN_FEW_SIZES
  register_fault<MeshSize<Viq_mesh_pins_late_credit, two_by_one>>("iq_mesh", "late_credit");
#ifndef WEFT_RTL_COVERAGE
  // iSLIP without stages settles slowly: few cycles.
  register_random<MeshSize<Viq_mesh_pins_3x2, three_by_two, 300>>("iq_mesh", "3x2");
  using Large = MeshSize<Viq_mesh_pins_4x4, four_by_four>;
  register_random<Large>("iq_mesh", "4x4");
  register_cases<LinkPinCase<Large>>("iq_mesh", "4x4", {{"Replay", &LinkPinCase<Large>::replay}});
#endif
#endif
  return true;
}();

}  // namespace
}  // namespace weft::pins
