#pragma once
// Unit of a node that makes the words of its messages - user logic, or memory - at a rate of its own, one message after
// the other.
//
// Timing. Word k (from 0) of a message that is begun in cycle b may leave from cycle b + floor(k * p) on, p = cycles
// per word; the next message is begun in cycle b + ceil(words * p) at the earliest. A message stands at the head of its
// circuit's queue from the first cycle on from which no slot comes before its word. A unit with p <= 1 is never the
// slower one, as a node sends at most a word per cycle.

#include <algorithm>
#include <cstdint>

#include "algorithms/slots/circuit_timing.h"
#include "base/units.h"

namespace weft {

class SourceUnit {
 public:
  /// A unit that is never waited for.
  SourceUnit() = default;
  /// `word_bits` per word, `rate` of the unit, `period` of the clock.
  SourceUnit(std::int64_t word_bits, Rate rate, Duration period)
      : picobits_(Wide{word_bits} * 1'000'000'000'000), per_cycle_(Wide{rate.bits_per_s} * period.ps) {}

  bool is_slower_than_link() const { return picobits_ > per_cycle_; }
  /// Cycles from the begin of a message until word `k` may leave.
  Cycle until(std::int64_t k) const { return static_cast<Cycle>(Wide{k} * picobits_ / per_cycle_); }
  /// Cycles that `words` occupy the unit.
  Cycle busy(std::int64_t words) const {
    return static_cast<Cycle>((Wide{words} * picobits_ + per_cycle_ - 1) / per_cycle_);
  }

  /// Begins a message that is there from cycle `from` on; returns the first cycle in which it may stand at the head of
  /// its queue. Slots repeat and the unit is regular, so that a word is late by most among the first or the last ones
  /// of the message, as many as a frame has of its slots.
  Cycle begin(Cycle from, std::int64_t words, const SlotSequence& slots, std::int64_t slots_per_frame) {
    const Cycle begun = std::max(from, free_);
    free_ = begun + busy(words);
    Cycle head = begun;
    for (;;) {
      const std::int64_t first = slots.first_at_or_after(head);
      Cycle late = 0;
      const auto look = [&](std::int64_t k) { late = std::max(late, begun + until(k) - slots.cycle(first + k)); };
      for (std::int64_t k = 0; k < std::min(words, slots_per_frame); ++k) {
        look(k);
        look(words - 1 - k);
      }
      if (late == 0) return head;
      head = slots.cycle(first) + late;
    }
  }

 private:
  __extension__ using Wide = __int128;
  Wide picobits_ = 0;
  Wide per_cycle_ = 1;
  Cycle free_ = 0;
};

}  // namespace weft
