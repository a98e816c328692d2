#include "Vsetup_unit.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/tdm/setup_rtl.h"
#include "cosim/tdm/verilated_setup_unit.h"

namespace weft {
namespace {

std::unique_ptr<SetupUnitRtl> setup_unit(VerilatedContext& context, const std::string& name) {
  return std::make_unique<VerilatedSetupUnit<Vsetup_unit, kSetupRtlPorts, kSetupRtlSlots, kSetupRtlCircuits>>(context,
                                                                                                              name);
}

const CompiledMaker kSetupUnit("setup_unit", setup_unit);

}  // namespace
}  // namespace weft
