#pragma once
// Verilated FiC blocks as plain objects with a clock to call. They hide which of the compiled sizes stands behind them:
// Verilator fixes parameters when it compiles, so a network uses the smallest compiled size that holds its switch.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slots/slot_lut.h"
#include "slots/slot_table.h"

class VerilatedContext;
class VerilatedFstC;

namespace weft {

class RtlMessages;

/// Where a Verilated block stands, for messages.
struct RtlPlace {
  std::string path;
  std::function<std::string()> now;  ///< the time of the present step, as "5ns (cycle 1)"; "" before cycle 0
};
/// "at 5ns (cycle 1)", or "before time begins" for "".
std::string at_time(const std::string& now);

/// A Verilated block: it knows its place, and its signals can be put into a waveform. A $stop, $finish, $fatal, $error
/// or failed assertion of the RTL throws RunError with the place and what the RTL has said.
class RtlBlock {
 public:
  virtual ~RtlBlock() = default;
  virtual void stand(RtlPlace place) = 0;
  /// Before the first step.
  virtual void trace(VerilatedFstC& file) = 0;
  /// In waves: the steps so far lie before the next cycle.
  virtual void settle() = 0;
  /// In waves, at the end of a cycle: the signals of this cycle, clock high.
  virtual void show_cycle() = 0;
  /// The same, clock low.
  virtual void show_half() = 0;
};

/// Prints what the RTL of a block has said in one step; throws RunError when it has ended. `scopes`: name of the block
/// in its text.
void tell_rtl_messages(RtlMessages& said, const RtlPlace& place, const std::string& scopes);

/// What arrives at one input port of a switch in one cycle.
struct TdmInput {
  bool valid = false;
  std::uint64_t word = 0;
  Slot label = 0;
};

/// rtl/fic/tdm_switch.sv. One cycle: begin_cycle(slot), read the outputs, set the inputs, end_cycle().
class TdmSwitchRtl : public RtlBlock {
 public:
  /// Sets the slot counter; afterwards the outputs are those of this cycle.
  virtual void begin_cycle(Slot slot) = 0;
  virtual bool out_valid(PortId out) const = 0;
  virtual std::uint64_t out_word(PortId out) const = 0;
  /// Each port must be set in each cycle.
  virtual void set_input(PortId in, const TdmInput& input) = 0;
  /// Writes slot's column of the shadow table at the end of this cycle.
  virtual void write_column(const SlotTable& table, Slot slot) = 0;
  virtual void request_swap() = 0;
  /// The rising edge that ends the cycle.
  virtual void end_cycle() = 0;
  /// In waves, in a cycle whose edge has not been made: what is on its inputs, by port.
  virtual void show_inputs(Slot slot, const std::vector<TdmInput>& inputs) = 0;
};

/// rtl/fic/slot_lut.sv.
class SlotLutRtl : public RtlBlock {
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
