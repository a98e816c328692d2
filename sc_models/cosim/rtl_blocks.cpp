#include "cosim/rtl_blocks.h"

#include <algorithm>
#include <cstdio>

#include "Vslot_lut_large.h"
#include "Vslot_lut_small.h"
#include "Vtdm_switch_large.h"
#include "Vtdm_switch_small.h"
#include "base/diagnostics.h"
#include "cosim/slot_lut_rtl.h"
#include "cosim/tdm_switch_rtl.h"

namespace weft {

std::string at_time(const std::string& now) { return now.empty() ? "before time begins" : "at " + now; }

void tell_rtl_messages(RtlMessages& said, const RtlPlace& place, const std::string& scopes) {
  if (const std::string text = said.take_text(); !text.empty()) std::fputs(text.c_str(), stdout);
  if (!said.ended()) return;
  std::string why = "the RTL of " + place.path + " has stopped " + at_time(place.now ? place.now() : "");
  for (std::string line : said.ends()) {
    if (const std::size_t at = line.find(scopes); at != std::string::npos) {
      std::replace(line.begin() + static_cast<std::ptrdiff_t>(at),
                   line.begin() + static_cast<std::ptrdiff_t>(at + scopes.size()), ' ', '.');
    }
    why += "\n  " + line;
  }
  throw RunError(why);
}

std::string wave_scopes(std::string path) {
  std::replace(path.begin(), path.end(), '.', ' ');
  return path;
}

std::shared_ptr<VerilatedContext> make_rtl_context() {
  auto context = std::make_shared<VerilatedContext>();
  context->traceEverOn(true);
  Verilated::threadContextp(context.get());
  return context;
}

std::unique_ptr<TdmSwitchRtl> make_tdm_switch_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                                  const std::string& name) {
  if (compiled_rtl_size(ports, slots) == kSmallRtl) {
    return std::make_unique<VerilatedTdmSwitch<Vtdm_switch_small, kSmallRtl.ports, kSmallRtl.slots>>(context, name);
  }
  return std::make_unique<VerilatedTdmSwitch<Vtdm_switch_large, kMaxRtlPorts, kMaxRtlSlots>>(context, name);
}

std::unique_ptr<SlotLutRtl> make_slot_lut_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                              const std::string& name) {
  if (compiled_rtl_size(ports, slots) == kSmallRtl) {
    return std::make_unique<VerilatedSlotLut<Vslot_lut_small, 2 * kSmallRtl.ports, kSmallRtl.slots>>(context, name);
  }
  return std::make_unique<VerilatedSlotLut<Vslot_lut_large, 2 * kMaxRtlPorts, kMaxRtlSlots>>(context, name);
}

}  // namespace weft
