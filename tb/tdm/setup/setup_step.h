#pragma once
// One step of the setup_unit bench: the command, what the unit must do about it, for how many cycles it is busy by the
// formulas of docs/fic_setup.md, and what the steps so far have come to.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "fabrics/tdm/setup/switch_circuits.h"
#include "tdm/setup/setup_world.h"

namespace weft::pins {

/// One command for the unit, and what it must do.
struct SetupStep {
  enum class Op : std::uint8_t { message = 0, failure = 1, told = 2, free = 3 } op = Op::message;
  Cycle now = 0;
  PortId from = 0;
  SetupMessage message;  ///< told: with the key only; failure: with the number of the fault
  std::deque<SetupEvent> events;
  bool withdraws = false;    ///< the first that has the branches of a circuit withdrawn
  std::uint32_t cycles = 0;  ///< that the unit is busy, by the formulas of docs/fic_setup.md
  Cycle next_free = -1;      ///< afterwards
};

struct RequestCycles {
  std::uint32_t cycles = 0;
  std::uint32_t passed_over = 0;  ///< slots in which the word of a later lane would not have come
};
/// Cycles of a request with this answer.
RequestCycles request_cycles(const SetupStep& step, const SetupMessage& answer, const SetupTiming& timing);
/// Cycles of another message. `known`: the switch has a record of the circuit.
std::uint32_t message_cycles(const SetupStep& step, bool known, const std::vector<SetupSend>& sends);
/// Cycles of a failure in a unit of so many records, for which `lost` circuits are given up.
std::uint32_t failure_cycles(std::uint32_t circuits, std::size_t lost, const std::vector<SetupSend>& sends);

struct SetupCounts {
  std::uint64_t accepted = 0, refused_down = 0, refused_slots = 0, refused_late = 0, answered = 0, withdrawn = 0,
                released = 0, failures = 0, lost = 0, freed = 0, unknown = 0, passed_over = 0;
  /// A message and what was sent because of it.
  void add(const SetupStep& step, const std::vector<SetupSend>& sends);
};

}  // namespace weft::pins
