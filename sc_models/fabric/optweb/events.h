#pragma once
// What OPTWEB nodes tell observers. All cycles are boundaries: cycle n ends and n + 1 begins at boundary n + 1; the
// first cycle of an instruction is that of its fetch.

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "base/units.h"

namespace weft {

/// An instruction that a node has completed.
struct OptwebExecution {
  NodeId node = kNoId;
  std::uint32_t number = 0;       ///< of the instruction in the order of execution
  Cycle started = 0;              ///< fetched
  std::optional<Cycle> sent;      ///< its last word, or notification of a barrier, has left the switch
  std::optional<Cycle> received;  ///< its last word has been counted and reported
  Cycle completed = 0;            ///< the sequencer knows that every unit is done
  std::uint64_t bytes_out = 0;    ///< over links
  std::uint64_t bytes_in = 0;     ///< over links
  bool rendezvous = false;
  bool unfenced = false;  ///< reads what was written since the last fence; the latencies make up for it
};

/// A transfer over a link that has been counted by its receiver.
struct OptwebDelivery {
  NodeId from = kNoId;
  NodeId to = kNoId;
  std::uint64_t bytes = 0;
  std::uint64_t words = 0;
  Cycle first = 0;        ///< its run begins on the link
  Cycle last = 0;         ///< its last word has left the sender
  Cycle counted = 0;      ///< by the receiver's word counter
  bool buffered = false;  ///< it came before its instruction
};

}  // namespace weft
