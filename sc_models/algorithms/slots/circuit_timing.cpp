#include "algorithms/slots/circuit_timing.h"

#include <algorithm>

namespace weft {

std::int64_t SlotSequence::first_at_or_after(Cycle cycle) const {
  const auto m = static_cast<std::int64_t>(slots_.size());
  const Cycle frame = cycle / frame_;
  const auto it = std::lower_bound(slots_.begin(), slots_.end(), static_cast<Slot>(cycle % frame_));
  return frame * m + (it - slots_.begin());
}

// The message's first word takes occurrence q; it came to the head at the earliest right after occurrence q-1 and at
// the latest in the cycle of q itself.
LatencyBounds latency_bounds(const std::vector<Slot>& injection, const std::vector<Cycle>& transit, std::uint32_t frame,
                             std::uint32_t words) {
  const SlotSequence sequence(injection, frame);
  const auto m = static_cast<std::int64_t>(injection.size());
  LatencyBounds bounds;
  for (std::int64_t q = 0; q < m; ++q) {
    const std::int64_t last = q + std::int64_t{words} - 1;
    const Cycle arrival = sequence.cycle(last) + transit[static_cast<std::size_t>(last % m)];
    const Cycle shortest = arrival - sequence.cycle(q);
    const Cycle longest = arrival - (sequence.cycle(q - 1) + 1);
    bounds.min = q == 0 ? shortest : std::min(bounds.min, shortest);
    bounds.max = std::max(bounds.max, longest);
  }
  return bounds;
}

}  // namespace weft
