#pragma once
// Transfers that one side of a central link carries at once: those into its central buffer, or those out of it. What
// each moves in a cycle is known from its grant on and never grows, so the rate that is left never shrinks. Rule:
// docs/packet_switches.md, "Several messages on a central link".

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/units.h"
#include "fabrics/packet/common/shared_buffer.h"

namespace weft {

class CentralTransfers {
 public:
  /// Of no use before another one is assigned to it.
  CentralTransfers() = default;
  /// At most `messages` at once, which move at most `rate` flits per cycle together.
  CentralTransfers(std::uint32_t messages, std::uint32_t rate) : messages_(messages), rate_(rate) {
    transfers_.reserve(messages);
  }

  /// Flits per cycle of a transfer that begins in cycle `start`, until its end; 0: none can begin then. Precondition
  /// here and below: `start` is no earlier than the start of any transfer that has been added.
  std::uint32_t spare(Cycle start) const {
    std::uint32_t count = 0;
    std::uint32_t used = 0;
    for (const Drain& t : transfers_) {
      const std::uint32_t part = share(t, start);
      count += part > 0 ? 1 : 0;
      used += part;
    }
    return count < messages_ ? rate_ - used : 0;
  }
  /// First cycle from `start` on in which a transfer can begin.
  Cycle next_start(Cycle start) const {
    while (spare(start) == 0) {
      Cycle next = std::numeric_limits<Cycle>::max();
      for (const Drain& t : transfers_) {
        if (t.last() >= start) next = std::min(next, next_change(t, start));
      }
      start = next;
    }
    return start;
  }
  /// Precondition: moves.rate <= spare(moves.start).
  void add(const Drain& moves) {
    std::erase_if(transfers_, [&](const Drain& t) { return t.last() < moves.start; });
    transfers_.push_back(moves);
  }

 private:
  /// Share of the link's rate that a transfer has in cycle `c`: the flits it moves; in its last cycle as many as in the
  /// one before it, so that the rest of a message that moves fast does not leave a slow rate to the next one.
  static std::uint32_t share(const Drain& moves, Cycle c) {
    const Cycle last = moves.last();
    if (c > last) return 0;
    const Cycle at = c == last && c > moves.start ? c - 1 : c;
    return moves.gone(at) - moves.gone(at - 1);
  }
  /// First cycle after `c` in which the share may be another one: it falls when the transfer has caught up with the
  /// flits that arrive, within one cycle or two, and at the end.
  static Cycle next_change(const Drain& moves, Cycle c) {
    const Cycle end = moves.last() + 1;
    if (moves.rate == 1) return end;
    const Cycle caught_up = moves.start + (moves.start - moves.arrive) / static_cast<Cycle>(moves.rate - 1);
    if (caught_up > c) return std::min(caught_up, end);
    return caught_up == c ? std::min(caught_up + 1, end) : end;
  }

  std::uint32_t messages_ = 1;
  std::uint32_t rate_ = 1;
  std::vector<Drain> transfers_;  // some may be over
};

}  // namespace weft
