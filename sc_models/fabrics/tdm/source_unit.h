#pragma once
// Unit of a node that makes the words of its messages - user logic, or memory - at a rate of its own, one message after
// the other.
//
// Timing. Word k (from 0) of a message that is begun in cycle b may leave from cycle b + floor(k * p) on, p = cycles
// per word; the next message is begun in cycle b + ceil(words * p) at the earliest. A message stands at the head of its
// circuit's queue from the first cycle on from which no slot comes before its word. A unit with p <= 1 / L is never the
// slower one, as a node with L links sends at most L words per cycle. A unit that takes words as well (shared_unit.h)
// makes with what they leave of its rate.

#include <algorithm>
#include <cstdint>

#include "algorithms/slots/circuit_timing.h"
#include "base/units.h"

namespace weft {

/// Words that a unit takes in each frame, of so many cycles.
struct TakenWords {
  std::int64_t words = 0;
  std::int64_t frame = 1;
};

class SourceUnit {
 public:
  /// A unit that is never waited for.
  SourceUnit() = default;
  /// `word_bits` per word, `rate` of the unit, `period` of the clock, `links` of the node.
  SourceUnit(std::int64_t word_bits, Rate rate, Duration period, std::uint32_t links = 1, TakenWords taken = {})
      : links_(links),
        picobits_(Wide{word_bits} * 1'000'000'000'000 * taken.frame),
        per_cycle_(Wide{rate.bits_per_s} * period.ps * taken.frame -
                   Wide{word_bits} * 1'000'000'000'000 * taken.words) {}

  bool is_slower_than_links() const { return picobits_ * links_ > per_cycle_; }
  /// It takes as much as it can, and makes nothing.
  bool is_used_up() const { return per_cycle_ <= 0; }
  /// Cycles from the begin of a message until word `k` may leave.
  Cycle until(std::int64_t k) const { return static_cast<Cycle>(Wide{k} * picobits_ / per_cycle_); }
  /// Cycles that `words` occupy the unit.
  Cycle busy(std::int64_t words) const {
    return static_cast<Cycle>((Wide{words} * picobits_ + per_cycle_ - 1) / per_cycle_);
  }

  /// Begins a message that is there from cycle `from` on; returns the first cycle in which it may stand at the head of
  /// its queue. Of words that are a frame's slots apart the first or the last one has to wait longest, as slots repeat
  /// and the unit is regular: so those of the first and of the last frame are looked at.
  Cycle begin(Cycle from, std::int64_t words, const SlotSequence& slots, std::int64_t slots_per_frame) {
    const Cycle begun = std::max(from, free_);
    free_ = begun + busy(words);
    const std::int64_t next = slots.first_at_or_after(begun);
    std::int64_t first = next;  // slot of word 0
    const auto look = [&](std::int64_t k) { first = std::max(first, slots.first_at_or_after(begun + until(k)) - k); };
    for (std::int64_t k = 0; k < std::min(words, slots_per_frame); ++k) {
      look(k);
      look(words - 1 - k);
    }
    return first == next ? begun : slots.cycle(first - 1) + 1;
  }

 private:
  __extension__ using Wide = __int128;
  std::uint32_t links_ = 1;
  Wide picobits_ = 0;
  Wide per_cycle_ = 1;
  Cycle free_ = 0;
};

}  // namespace weft
