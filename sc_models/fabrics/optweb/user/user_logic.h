#pragma once
// User logic of a node and the changeover switch, which joins M_DMAC either to the distributed switch or to the user
// logic. A `compute` instruction moves it over, lets the user logic work, and moves it back. The user logic here does
// nothing but take its time; a design that embeds the node puts its own in place.
//
// User logic that streams names the words that R#i brings it and those that W#i takes from it
// (fabrics/optweb/user/user_port.h has their times); bytes that it reads in passing, without naming them, take none.
// Logic that takes and makes words while others come is a StreamLogic (fabrics/optweb/user/stream_logic.h).

#include <cstdint>
#include <systemc>
#include <vector>

#include "algorithms/optweb/command_sequencer.h"
#include "algorithms/optweb/semantics/sparse_memory.h"
#include "fabrics/optweb/boxes/box_signals.h"
#include "fabrics/optweb/boxes/box_trace.h"
#include "kernel/clock_domain.h"

namespace weft {

/// Bytes of one stripe, which D#i of that stripe moves.
struct UserStream {
  std::uint64_t address = 0;  ///< physical
  std::uint64_t bytes = 0;
  std::uint32_t step = 1;  ///< words of a step of a StreamLogic, 1 to 16
};

/// At most one read and one write in a stripe.
struct UserStreams {
  std::vector<UserStream> reads;   ///< all at once, before the logic works
  std::vector<UserStream> writes;  ///< all at once, when it has
};

class UserLogic {
 public:
  virtual ~UserLogic() = default;
  /// Words of an instruction that pass the memory interfaces.
  virtual UserStreams streams(const optweb::MachineInstruction&) { return {}; }
  /// Works on the node's memory, when all that it reads has come; returns the cycles that takes, at least 1. What it
  /// writes is to be in `memory` behind the call.
  virtual Cycle compute(const optweb::MachineInstruction& instruction, optweb::SparseMemory& memory) = 0;
  /// As WordBox::trace() (fabrics/optweb/boxes/word_path.h).
  virtual void trace(BoxTrace&) const {}
};

/// Takes as many cycles as the instruction says.
class TimedUserLogic final : public UserLogic {
 public:
  Cycle compute(const optweb::MachineInstruction& instruction, optweb::SparseMemory&) override {
    return static_cast<Cycle>(instruction.size);
  }
};

class ChangeoverSwitch : public sc_core::sc_module, public DoneIf {
 public:
  enum class Position : std::uint8_t { network, user };
  explicit ChangeoverSwitch(sc_core::sc_module_name name) : sc_module(name), to_sequencer("to_sequencer") {}
  sc_core::sc_port<DoneIf> to_sequencer;
  Position position() const { return position_; }
  void move(Position position, Cycle now) {
    if (position == Position::network) user_cycles_ += now - since_;
    position_ = position;
    since_ = now;
  }
  /// The user logic is done.
  void done(optweb::Units units, Cycle now) override {
    move(Position::network, now);
    to_sequencer->done(units, now);
  }
  /// Cycles for which the user logic has had the memory.
  Cycle user_cycles() const { return user_cycles_; }

 private:
  Position position_ = Position::network;
  Cycle since_ = 0;
  Cycle user_cycles_ = 0;
};

}  // namespace weft
