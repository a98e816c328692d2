#pragma once
// RTL of the FiC blocks as plain objects with a clock to call.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "algorithms/slots/slot_table.h"
#include "cosim/common/named_blocks.h"
#include "cosim/common/rtl_block.h"
#include "cosim/tdm/host_rtl.h"
#include "cosim/tdm/setup_rtl.h"

namespace weft {

/// Word on one input port of a switch in one cycle.
struct TdmInput {
  bool valid = false;
  std::uint64_t word = 0;
  Slot label = 0;
};

/// rtl/tdm/tdm_switch.sv. One cycle: begin_cycle(slot), read the outputs, set the inputs, end_cycle().
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

/// rtl/tdm/slot_lut.sv.
class SlotLutRtl : public RtlBlock {
 public:
  /// Request in one cycle, response of the next.
  virtual SlotLutResponse request(const SlotLutRequest& request) = 0;
};

// Compiled sizes of the FiC blocks. Verilator fixes parameters when it compiles, so a network uses the smallest
// compiled size that holds its switch.

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

/// Blocks that can stand for the data path of a switch, and for its slot LUT.
struct TdmSwitchBlock {
  std::string module = "tdm_switch";  ///< name of its top module
  RtlSize largest{kMaxRtlPorts, kMaxRtlSlots};
  std::function<std::unique_ptr<TdmSwitchRtl>(VerilatedContext&, std::uint32_t ports, std::uint32_t slots,
                                              const std::string& name)>
      make = make_tdm_switch_rtl;
};
struct SlotLutBlock {
  std::string module = "slot_lut";
  RtlSize largest{kMaxRtlPorts, kMaxRtlSlots};
  std::function<std::unique_ptr<SlotLutRtl>(VerilatedContext&, std::uint32_t ports, std::uint32_t slots,
                                            const std::string& name)>
      make = make_slot_lut_rtl;
};

/// Blocks that can stand for the setup unit of a switch.
struct SetupUnitBlock {
  std::string module = "setup_unit";
  RtlSize largest{kSetupRtlPorts, kSetupRtlSlots};
  std::function<std::unique_ptr<SetupUnitRtl>(VerilatedContext&, const std::string& name)> make = make_setup_unit_rtl;
};

/// Blocks of FiC networks.
struct TdmRtlBlocks {
  RtlBlocks<TdmSwitchBlock> data_path{"the data path", {}};
  RtlBlocks<SlotLutBlock> slot_lut{"the slot LUT", {}};
  RtlBlocks<SetupUnitBlock> setup_unit{"the setup unit", {}};
  RtlBlocks<HostInterfaceBlock> host_interface{"the host interface", {}};
  /// visit(blocks) for each place.
  template <class Visit>
  void each_place(Visit&& visit) const {
    visit(data_path), visit(slot_lut), visit(setup_unit), visit(host_interface);
  }
};

}  // namespace weft
