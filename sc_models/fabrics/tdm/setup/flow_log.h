#pragma once
// Log of one flow of circuits that come and go. -1: not reached.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fabrics/tdm/setup/message.h"
#include "fabrics/tdm/setup/word_ledger.h"

namespace weft {

/// One circuit that was accepted.
struct CircuitLog {
  std::uint32_t number = 0;  ///< of its request
  std::shared_ptr<const CircuitRoute> route;
  SlotSet slots;
  std::uint64_t tries = 1;   ///< requests it took, itself included
  Cycle first_request = -1;  ///< of these tries
  Cycle requested = -1;
  Cycle acknowledged = -1;
  Cycle first_word = -1;
  Cycle accepted = -1;
  Cycle ended = -1;   ///< released or lost
  bool lost = false;  ///< to a failure
  std::uint32_t fault = kNoFault;
  bool further = false;  ///< slots added to a circuit that is there
};

/// More slots asked for, or some given back, while the circuit is there.
struct SlotChangeLog {
  enum class Outcome : std::uint8_t { pending, added, refused, given_back, lost } outcome = Outcome::pending;
  Cycle asked = -1;
  Cycle done = -1;
  std::uint32_t before = 0;  ///< slots
  std::uint32_t wanted = 0;
  std::uint32_t after = 0;
  TeardownCause cause = TeardownCause::no_slots;  ///< refused: why
};

/// Effect of one failure on a flow.
struct FaultEffect {
  std::uint32_t fault = kNoFault;  ///< index in the plan
  std::uint64_t circuits = 0;      ///< accepted ones, those being given back included
  std::uint64_t requests = 0;      ///< not accepted yet
  std::uint64_t refused = 0;       ///< requests refused as down because of it
  std::uint64_t held = 0;          ///< times its source could not ask: the link to its switch was down
  std::uint64_t words_resent = 0;
  Cycle dark = 0;         ///< begun by this failure
  Cycle dark_since = -1;  ///< not over yet
};

struct FlowLog {
  std::uint64_t requests = 0;
  Cycle first_request = -1;
  std::array<std::uint64_t, kTearCauses> refusals{};  ///< by TeardownCause; fault: circuits and requests lost
  std::uint64_t words_sent = 0;                       ///< every time it was sent counted
  std::uint64_t words_resent = 0;                     ///< sent before
  std::uint64_t words_refused = 0;  ///< sent behind a request that was refused: discarded by the network
  Cycle dark = 0;                   ///< from the failure of a circuit to the first word on the one that replaced it
  Cycle dark_since = -1;            ///< not over yet
  Cycle finished = -1;              ///< everything has arrived and every slot is given back
  bool given_up = false;
  std::vector<CircuitLog> circuits;
  std::vector<SlotChangeLog> changes;
  std::vector<FaultEffect> faults;  ///< in the order in which they came
};

}  // namespace weft
