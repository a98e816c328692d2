#pragma once
// States of the boxes of an OPTWEB node: what each place of a box does, or waits for, from when to when. A box with a
// place per reader, writer or link is in a state per place. A place without a state is idle.

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ids.h"

namespace weft {

/// A point in time since the beginning of the run, or a span of it.
using Picoseconds = std::int64_t;

/// In the order in which data pass them.
enum class OptwebBox : std::uint8_t {
  sequencer,
  control_register,
  readers,
  sent_boxes,  ///< of a design's own
  gate,
  selectors,
  buffers,
  crossbar,
  received_boxes,  ///< of a design's own
  reduction,
  writers,
  user_logic,
  host_master,
};
inline constexpr std::size_t kOptwebBoxes = 13;

enum class OptwebBoxState : std::uint8_t {
  words,    ///< words pass
  setting,  ///< control register: paths are being set
  set,      ///< control register: they are set, until the instruction is over
  compute,  ///< user logic: it has the memory
  fetch,    ///< sequencer: fetch and decode
  network,  ///< sequencer: waits for the distributed switch
  fence,    ///< sequencer: waits for the acknowledgements of writes
  user,     ///< sequencer: waits for the user logic
  memory,   ///< waits for words of the memory, or has them more slowly than the path could pass them
  host,     ///< words pass more slowly, as the host has its turns at the memory interface
  gate,     ///< waits for receivers that are not ready
  paths,    ///< waits until the paths are set
  lane,     ///< waits until the lanes have rested, after a run or a notification
  data,     ///< waits for the first words from other nodes
  early,    ///< words wait for their instruction
  others,   ///< words wait for those of other nodes, with which they are reduced
};
inline constexpr std::size_t kOptwebBoxStates = 16;

inline std::string_view to_string(OptwebBox box) {
  constexpr std::array<std::string_view, kOptwebBoxes> kWords{
      "sequencer", "control_register", "readers",   "sent_boxes", "gate",       "selectors",   "buffers",
      "crossbar",  "received_boxes",   "reduction", "writers",    "user_logic", "host_master",
  };
  return kWords[static_cast<std::size_t>(box)];
}

inline std::string_view to_string(OptwebBoxState state) {
  constexpr std::array<std::string_view, kOptwebBoxStates> kWords{
      "words",  "setting", "set",  "compute", "fetch", "network", "fence", "user",
      "memory", "host",    "gate", "paths",   "lane",  "data",    "early", "others",
  };
  return kWords[static_cast<std::size_t>(state)];
}

/// The box works in this state; in others it waits.
inline bool is_work(OptwebBoxState state) { return state <= OptwebBoxState::fetch; }

/// A state of a place of a box, from its beginning to its end.
struct OptwebBoxSpan {
  NodeId node = kNoId;
  OptwebBox box = OptwebBox::sequencer;
  OptwebBoxState state = OptwebBoxState::words;
  std::uint32_t place = 0;  ///< number of the reader, writer or link; 0 of a box with one place
  NodeId peer = kNoId;      ///< the node whose words pass, or the last one waited for; kNoId: none
  Picoseconds from = 0;
  Picoseconds to = 0;
  std::uint64_t words = 0;  ///< that have passed when it ends
  std::uint64_t most = 0;   ///< buffers: words that have waited at a time, at most
};

}  // namespace weft
