#pragma once
// RTL of the FiC blocks as plain objects with a clock to call.

#include <cstdint>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "algorithms/slots/slot_table.h"
#include "cosim/common/rtl_block.h"

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

}  // namespace weft
