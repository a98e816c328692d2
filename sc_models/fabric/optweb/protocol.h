#pragma once
// TLM-2.0 protocol of OPTWEB links, forward only: one call per run of the data-active signal, annotated with the delay
// until it reaches the switch at the other end.

#include <cstdint>

#include "base/ids.h"
#include "base/units.h"
#include "fabric/link_socket.h"
#include "fabric/optweb/events.h"
#include "optweb/sparse_memory.h"

namespace weft {

/// A transfer as a train of words: who sends what, and when its words leave; the receiver's link makes the cycles of
/// its own clock of them, in which they arrive at its switch.
struct OptwebTrain {
  NodeId from = kNoId;
  std::uint32_t number = 0;  ///< of the sender's instruction
  std::uint64_t bytes = 0;
  std::uint64_t words = 0;
  Picoseconds begun = 0;                         ///< on the lane, at the sender
  Picoseconds ended = 0;                         ///< the last word has left the sender
  Cycle first = 0;                               ///< the first word has left, or arrived
  Cycle last = 0;                                ///< the last word has left, or arrived
  const optweb::SparseMemory* memory = nullptr;  ///< of the sender; null when only lengths move
  std::uint64_t address = 0;
};

/// What a notification was sent for. The hardware does not carry it; the simulator does, to tell programs that do not
/// match from those that do.
enum class OptwebMeaning : std::uint8_t { barrier, ready, received };

struct OptwebNotification {
  OptwebMeaning meaning = OptwebMeaning::barrier;
  std::uint32_t number = 0;  ///< of the sender's instruction
};

struct OptwebTransfer {
  enum class Kind : std::uint8_t {
    notification,  ///< a run of one cycle
    train,         ///< a run of data begins
    delay,         ///< the run under way ends later: a notification has cut it
  };
  Kind kind = Kind::notification;
  Cycle sent =
      0;  ///< notification: it has left the sending switch; delay: the last word will have, cycle of the sender
  OptwebNotification notification;
  Picoseconds ended = 0;  ///< delay: the same as a time
  OptwebTrain train;
};

struct OptwebProtocol {
  using tlm_payload_type = OptwebTransfer;
  using tlm_phase_type = tlm::tlm_phase;
};

}  // namespace weft
