#pragma once
// Closed forms of a TDM circuit's timing (FiC paper, section II.B: bandwidth m/n of the link, predictable latency).
//
// A word sent in slot p of a link arrives C cycles later and leaves in slot q of the next link in the first cycle after
// its arrival that belongs to q: C + ((q - p - C - 1) mod S) + 1 cycles from sending to sending. With the same slot on
// every hop that is S * (floor(C / S) + 1): since all slot counters run in step, a constant latency C hides in the wait
// for the slot as long as it is shorter than a frame.

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weft {

/// Cycles from sending in slot `from` to sending in slot `to` of the next link, C = `latency` cycles apart.
inline Cycle hop_cycles(Slot from, Slot to, Cycle latency, std::uint32_t slots) {
  const auto s = static_cast<Cycle>(slots);
  Cycle wait = (Cycle{to} - Cycle{from} - latency - 1) % s;
  if (wait < 0) wait += s;
  return latency + wait + 1;
}

/// The slots of a circuit on one link as an endless sequence of cycles: occurrence q lies in frame q / m, slot q mod m.
class SlotSequence {
 public:
  /// `slots` ascending, at least one; `frame` = S.
  SlotSequence(const std::vector<Slot>& slots, std::uint32_t frame) : slots_(slots), frame_(frame) {}
  Cycle cycle(std::int64_t occurrence) const {
    const auto m = static_cast<std::int64_t>(slots_.size());
    std::int64_t f = occurrence / m;
    std::int64_t k = occurrence % m;
    if (k < 0) {
      k += m;
      --f;
    }
    return f * Cycle{frame_} + Cycle{slots_[static_cast<std::size_t>(k)]};
  }
  /// First occurrence in a cycle >= `cycle`; cycle >= 0.
  std::int64_t first_at_or_after(Cycle cycle) const;

 private:
  const std::vector<Slot>& slots_;
  std::uint32_t frame_;
};

/// Latency bounds of messages on one circuit towards one destination, in cycles, counted from the moment a message
/// stands at the head of its circuit's queue to the arrival of its last word.
struct LatencyBounds {
  Cycle min = 0;
  Cycle max = 0;
};

/// `injection`: slots on the injection link, ascending; `transit[k]`: cycles from the injection slot k to the arrival
/// at the destination; `words`: length of the message.
LatencyBounds latency_bounds(const std::vector<Slot>& injection, const std::vector<Cycle>& transit, std::uint32_t frame,
                             std::uint32_t words);

}  // namespace weft
