#pragma once
// Train: words of one message that follow each other through a TDM network in the slots of their circuit.
//
// A message of n words on a circuit with m slots becomes up to m trains, one per slot: its words leave in that slot of
// successive frames, S cycles apart. A train is described once, when its first word moves, so a hop costs the same for
// one word and for a million; its timing is still exact to the cycle, since TDM circuits never wait for each other.
// When tables change under a train, a TrainCut follows it and says how many of its words really came through.

#include <algorithm>
#include <cstdint>

#include "base/ids.h"
#include "base/units.h"

namespace weft {

using MessageId = std::uint32_t;  ///< index into the network's message store, reused after delivery

struct Train {
  MessageId message = 0;
  CircuitId circuit = 0;
  std::uint32_t sequence = 0;    ///< of the message within its circuit
  std::uint32_t first_word = 0;  ///< index in the message of the train's first word
  std::uint32_t stride = 1;      ///< words of the message from one word of the train to the next
  std::uint32_t words = 0;       ///< words of the train, at least 1
  Slot slot = 0;                 ///< slot on the link it travels on (the sending side's slot number)
  Cycle start = 0;               ///< cycle of the first word at the place where the train is looked at

  /// Cycle of the last word, for frames of `slots` cycles; a frame before the start for a train cut to nothing.
  Cycle last(std::uint32_t slots) const { return start + (Cycle{words} - 1) * Cycle{slots}; }
  /// Words that are there in cycles before `now`.
  std::uint32_t words_before(Cycle now, std::uint32_t slots) const {
    const Cycle n = now <= start ? 0 : (now - start + slots - 1) / Cycle{slots};
    return static_cast<std::uint32_t>(std::min(n, Cycle{words}));
  }
};

/// Only the first `words` words of a train announced earlier exist.
struct TrainCut {
  MessageId message = 0;
  std::uint32_t first_word = 0;  ///< names the train together with message and slot
  Slot slot = 0;
  std::uint32_t words = 0;      ///< words that exist
  std::uint32_t announced = 0;  ///< words that were announced before

  bool names(const Train& t) const { return t.message == message && t.first_word == first_word && t.slot == slot; }
};

}  // namespace weft
