#include "Vslot_lut_large.h"
#include "Vslot_lut_small.h"
#include "Vtdm_switch_large.h"
#include "Vtdm_switch_small.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/tdm/tdm_rtl.h"
#include "cosim/tdm/verilated_slot_lut.h"
#include "cosim/tdm/verilated_tdm_switch.h"

namespace weft {
namespace {

std::unique_ptr<TdmSwitchRtl> tdm_switch(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                         const std::string& name) {
  if (compiled_rtl_size(ports, slots) == kSmallRtl) {
    return std::make_unique<VerilatedTdmSwitch<Vtdm_switch_small, kSmallRtl.ports, kSmallRtl.slots>>(context, name);
  }
  return std::make_unique<VerilatedTdmSwitch<Vtdm_switch_large, kMaxRtlPorts, kMaxRtlSlots>>(context, name);
}

std::unique_ptr<SlotLutRtl> slot_lut(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                     const std::string& name) {
  if (compiled_rtl_size(ports, slots) == kSmallRtl) {
    return std::make_unique<VerilatedSlotLut<Vslot_lut_small, 2 * kSmallRtl.ports, kSmallRtl.slots>>(context, name);
  }
  return std::make_unique<VerilatedSlotLut<Vslot_lut_large, 2 * kMaxRtlPorts, kMaxRtlSlots>>(context, name);
}

const CompiledMaker kTdmSwitch("tdm_switch", tdm_switch);
const CompiledMaker kSlotLut("slot_lut", slot_lut);

}  // namespace
}  // namespace weft
