#pragma once
// Verilated FiC blocks as plain objects with a clock to call. They hide which of the compiled sizes stands behind them:
// Verilator fixes parameters when it compiles, so a network uses the smallest compiled size that holds its switch.

#include <cstdint>
#include <memory>
#include <string>

#include "slots/slot_lut.h"
#include "slots/slot_table.h"

class VerilatedContext;
class VerilatedFstC;

namespace weft {

/// Something whose signals can be put into a waveform.
class TracedBlock {
 public:
  virtual ~TracedBlock() = default;
  virtual void trace(VerilatedFstC& file) = 0;
  /// First half of a cycle in waves: clock high, unless the block was clocked in this cycle already.
  virtual void clock_high() {}
  /// Second half of a cycle in waves: clock low.
  virtual void clock_low() = 0;
};

/// rtl/fic/tdm_switch.sv. One cycle: begin_cycle(slot), read the outputs, set the inputs, end_cycle().
class TdmSwitchRtl : public TracedBlock {
 public:
  /// Sets the slot counter; afterwards the outputs are those of this cycle.
  virtual void begin_cycle(Slot slot) = 0;
  virtual bool out_valid(PortId out) const = 0;
  virtual std::uint64_t out_word(PortId out) const = 0;
  /// Inputs of the cycle; each port must be set in each cycle.
  virtual void set_input(PortId in, bool valid, std::uint64_t word, Slot label) = 0;
  /// Writes slot's column of the shadow table at the end of this cycle.
  virtual void write_column(const SlotTable& table, Slot slot) = 0;
  virtual void request_swap() = 0;
  /// The rising edge that ends the cycle.
  virtual void end_cycle() = 0;
};

/// rtl/fic/slot_lut.sv.
class SlotLutRtl : public TracedBlock {
 public:
  /// Request in one cycle, response of the next.
  virtual SlotLutResponse request(const SlotLutRequest& request) = 0;
};

/// Context of the Verilated blocks of one network; they must not outlive it.
std::shared_ptr<VerilatedContext> make_rtl_context();

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

/// Name of a Verilated top module for which waves show nested scopes: blanks for dots.
std::string wave_scopes(std::string path);

/// Precondition: ports <= kMaxRtlPorts, slots <= kMaxRtlSlots. `name`: scope in waves, dots separate levels.
std::unique_ptr<TdmSwitchRtl> make_tdm_switch_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                                  const std::string& name);
std::unique_ptr<SlotLutRtl> make_slot_lut_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                              const std::string& name);

}  // namespace weft
