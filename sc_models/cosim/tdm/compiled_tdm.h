#pragma once
// Compiled sizes of the FiC blocks. Verilator fixes parameters when it compiles, so a network uses the smallest
// compiled size that holds its switch.

#include <cstdint>
#include <memory>
#include <string>

#include "cosim/tdm/tdm_rtl.h"

namespace weft {

/// Largest switch the compiled RTL holds.
inline constexpr std::uint32_t kMaxRtlPorts = 64;
inline constexpr std::uint32_t kMaxRtlSlots = 256;

/// Parameters of the compiled RTL.
struct RtlSize {
  std::uint32_t ports = 0;
  std::uint32_t slots = 0;
  bool operator==(const RtlSize&) const = default;
};
inline constexpr RtlSize kSmallRtl{8, 64};
/// Size of the block that stands for a switch with so many ports and slots.
constexpr RtlSize compiled_rtl_size(std::uint32_t ports, std::uint32_t slots) {
  return ports <= kSmallRtl.ports && slots <= kSmallRtl.slots ? kSmallRtl : RtlSize{kMaxRtlPorts, kMaxRtlSlots};
}

/// Precondition: ports <= kMaxRtlPorts, slots <= kMaxRtlSlots. `name`: scope in waves, dots separate levels.
std::unique_ptr<TdmSwitchRtl> make_tdm_switch_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                                  const std::string& name);
std::unique_ptr<SlotLutRtl> make_slot_lut_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                              const std::string& name);

}  // namespace weft
