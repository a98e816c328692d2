#pragma once
// RTL of the setup unit of a FiC switch (rtl/tdm/setup_unit.sv) as a plain object that works on one command at a time.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "base/ids.h"
#include "base/units.h"
#include "cosim/common/rtl_block.h"

namespace weft {

/// Message of the setup protocol on the pins; sets of ports are bit masks.
struct SetupPins {
  std::uint32_t kind = 0;
  std::uint64_t key = 0;
  SlotSet common;
  SlotSet slots;
  // Request with slots of each switch's own: the host's slots, the slot in which the word of the lowest of these comes
  // or leaves, and the cycles from the one to the other
  SlotSet source;
  std::uint32_t lane = 0;
  Cycle lag = 0;
  Cycle start = 0;
  Cycle late = 0;
  Cycle cleared = 0;
  std::uint64_t words = 0;
  std::uint32_t cause = 0;
  bool withdrawn = false;
  bool forward = false;
  std::uint32_t info = 0;
};

struct SetupCommand {
  enum class Op : std::uint8_t { message = 0, failure = 1, told = 2, free = 3 } op = Op::message;
  Cycle now = 0;
  std::uint32_t usable = 0;
  std::uint32_t failed = 0;
  PortId from = 0;
  SetupPins message;
  // Of a request
  std::uint32_t wanted = 0;
  Cycle hold = 0;
  bool first = false;
  PortId in = 0;
  std::uint32_t outs = 0;
  std::uint32_t hosts = 0;
  Cycle departure = 0;
  Cycle route_start = 0;
  Cycle wire = 0;
  // Information about refusals, by port where one is down
  std::uint32_t own_info = 0;
  std::vector<std::uint32_t> down_info;
};

/// What the block has access to while it works; calls come in the order of its cycles.
class SetupSurroundings {
 public:
  virtual ~SetupSurroundings() = default;
  /// `input`: row of the input side of a port, else of its output.
  virtual SlotLutResponse lut(SlotLutOp op, bool input, PortId port, const SlotSet& slots, std::uint64_t key) = 0;
  virtual Cycle table_question(std::uint32_t columns) = 0;
  /// `from`: the input's slot for each of `slots` in ascending order; empty: the same.
  virtual Cycle table_change(bool set, PortId in, std::uint32_t outs, const SlotSet& slots,
                             const std::vector<Slot>& from, std::uint64_t key) = 0;
  virtual void send(PortId port, const SetupPins& message) = 0;
  virtual void drain_begins(std::uint32_t ports) = 0;
  virtual void drain_ends(std::uint32_t ports) = 0;
  virtual void lost(std::uint64_t key) = 0;
  /// The block has no room left.
  virtual void full() = 0;
};

/// A record of the block, or slots that drain.
struct SetupRecord {
  bool lost = false;
  std::uint64_t key = 0;
  bool first = false;
  PortId in = 0;
  std::uint32_t outs = 0;
  SlotSet slots;
};

class SetupUnitRtl : public RtlBlock {
 public:
  /// Constants: slots of a frame, whether each switch chooses slots of its own; by port, cycles until a host has heard
  /// an ACK, and until its last word is in.
  virtual void configure(std::uint32_t frame, bool slot_update, const std::vector<Cycle>& ack_lag,
                         const std::vector<Cycle>& drain_lag) = 0;
  virtual void run(const SetupCommand& command, SetupSurroundings& surroundings) = 0;
  /// First cycle in which a command `free` has an effect, -1: none.
  virtual Cycle next_free() const = 0;
  virtual std::vector<SetupRecord> records(std::uint32_t slots) = 0;
  virtual std::vector<SetupRecord> draining(std::uint32_t slots) = 0;
};

/// Size of the compiled setup unit. Each circuit, and each set of slots that drains, holds a slot of some output: so
/// many records are always enough.
inline constexpr std::uint32_t kSetupRtlPorts = 8;
inline constexpr std::uint32_t kSetupRtlSlots = 16;
inline constexpr std::uint32_t kSetupRtlCircuits = kSetupRtlPorts * kSetupRtlSlots;

std::unique_ptr<SetupUnitRtl> make_setup_unit_rtl(VerilatedContext& context, const std::string& name);

}  // namespace weft
