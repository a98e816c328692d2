#include "Vsetup_unit.h"
#include "cosim/tdm/setup_rtl.h"
#include "cosim/tdm/verilated_setup_unit.h"

namespace weft {

std::unique_ptr<SetupUnitRtl> make_setup_unit_rtl(VerilatedContext& context, const std::string& name) {
  return std::make_unique<VerilatedSetupUnit<Vsetup_unit, kSetupRtlPorts, kSetupRtlSlots, kSetupRtlCircuits>>(context,
                                                                                                              name);
}

}  // namespace weft
