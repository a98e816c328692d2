#pragma once
// TLM-2.0 protocol of OPTWEB links, forward only: a call per run of the data-active signal, and one per word cycle
// of the lane that is stepped, annotated with the delay until it reaches the switch at the other end.

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/optweb/faults/link_timeline.h"
#include "algorithms/optweb/lane.h"
#include "algorithms/optweb/semantics/sparse_memory.h"
#include "algorithms/optweb/word_rate.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/optweb/observer.h"
#include "kernel/link.h"

namespace weft {

/// The pace of a train changes: so many words behind the dropped one have passed by then.
struct OptwebTurn {
  Cycle at = 0;
  optweb::WideInteger units = 0;  ///< of OptwebParameters::units
};

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
  std::vector<OptwebTurn> turns;                 ///< in between; where there are none the pace is the same all the way
  bool host = false;                             ///< the sender's host has the memory interface when it begins
  const optweb::SparseMemory* memory = nullptr;  ///< of the sender; null when only lengths move
  std::uint64_t address = 0;
  std::shared_ptr<const optweb::StreamTime> time;       ///< of links that fail or make errors
  Cycle adapter = 0;                                    ///< nominal cycles that one has added; of such links
  std::shared_ptr<const optweb::SparseMemory> changed;  ///< `memory`, where own boxes of the sender have seen the words
};

/// Purpose of a notification. The hardware does not carry it; the simulator does, to tell programs that do not
/// match from those that do.
enum class OptwebNotificationKind : std::uint8_t { barrier, ready, received };

struct OptwebNotification {
  OptwebNotificationKind kind = OptwebNotificationKind::barrier;
  std::uint32_t number = 0;  ///< of the sender's instruction
};

struct OptwebTransfer {
  enum class Kind : std::uint8_t {
    notification,  ///< a run of one cycle
    train,         ///< a run of data begins
    delay,         ///< the run under way ends later: a notification has cut it
    turn,          ///< the run under way goes on at another pace
    lane,          ///< a word cycle of the lane
  };
  Kind kind = Kind::notification;
  Cycle adapter = 0;  ///< nominal cycles that one has added
  Cycle sent = 0;  ///< of the sender: the notification has left its switch; delay, turn: the last word will have; lane:
                   ///< the word cycle
  Cycle noted = 0;  ///< notification: word cycle in which the lane carries it
  OptwebNotification notification;
  Picoseconds ended = 0;  ///< delay, turn: the same as a time
  OptwebTurn turn;
  Cycle first = 0;             ///< turn: the first word has left or will have; train: the run begins
  optweb::LaneSymbol symbol;   ///< lane
  std::uint64_t left_out = 0;  ///< lane: word cycles before this one that are not told
  OptwebTrain train;
};

struct OptwebProtocol {
  using tlm_payload_type = OptwebTransfer;
  using tlm_phase_type = tlm::tlm_phase;
  /// By an adapter. The other cycles are of the sender's clock, and stay.
  static void delay(OptwebTransfer& transfer, Cycle cycles) { transfer.adapter += cycles; }
};

}  // namespace weft
