#pragma once
// Bounds that follow from an arbitration table alone: the width of its counters, the waits of its service levels.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

// Width of the counters of a Deficit Table with which they never saturate.
//
// An SL's counters hold most right after one of its entries has been selected: the entry's weight on top of a deficit.
// With messages of at most L credits a deficit is at most L - 1. Exact, for an entry in front of which the weights of
// the SL's entries from entry s on add up to P - P_s, whose whole table gives the SL T, and an SL that may become
// active before any of its entries:
//
//   messages of any size up to L   the largest deficit is L - 1, reached in front of every entry: go back over the
//                                  SL's entries while their weights fit into L - 1; in the one that does not fit any
//                                  more messages of one credit leave just what is missing, and then one of L waits.
//   all messages of L credits      the deficit is what the SL has earned modulo L: P - P_s + c T for any number c of
//                                  rounds. The c T are the multiples of g = gcd(T, L), so the largest deficit is
//                                  L - g + (P - P_s) mod g, for the s that makes it largest.

enum class MessageSizes { any, all_largest };

class CounterNeeds {
 public:
  /// `messages`: credits of the largest message by SL; SLs beyond its end, and of 0, send nothing.
  CounterNeeds(const ArbitrationTable& table, const std::vector<std::uint32_t>& messages, MessageSizes sizes);

  /// Most that the accumulated weight of the SL, and so its deficit, ever is; 0 when it is never selected.
  std::uint64_t largest(ServiceLevel sl) const { return largest_.at(sl); }
  /// Least width with which no counter ever saturates.
  unsigned bits() const;
  /// SLs of which counters of `bits` can saturate, ascending; 0: none, those are as wide as it takes.
  std::vector<ServiceLevel> saturating(unsigned bits) const;

 private:
  std::array<std::uint64_t, kMaxServiceLevels> largest_{};
};

// Longest wait of the message at the head of a service level (SL) for the Deficit Table.
//
// Between two of its entries the table may serve every entry in between, and each other SL may first use up what it
// carried over. So, with the maximum over the gaps g between successive entries of SL i (around the table),
//
//   wait_i = max over g of ( sum of the weights in g  +  sum over the other SLs j with entries in g of (MTU_j - 1) )
//
// credits, each of which takes one flit time of the link.
//
// Why. What SL j sends while one of its entries is selected comes out of that entry's weight and the deficit it had,
// and what is left over is the next deficit; so in any number of successive entries it sends at most the sum of their
// weights and its first deficit. A deficit is what did not cover the head message, hence at most MTU_j - 1. Entries of
// inactive SLs are skipped and deficits cleared, which only shortens the wait. An entry of SL i is at least MTU_i
// (a precondition), so the first one reached sends the message. A message already on the link when the wait begins is
// part of what its entry sends, so it is counted; it does not come on top. The bound is reached: see the unit tests.
//
// The wait counts from the cycle in which the message is at the head of its queue, the SL has credits for it and no
// message of its own SL is on the link, to the cycle in which its first flit is sent.

/// One bound in credits for each SL number below `mtus.size()`; 0 for SLs without entries. `mtus`: credits of the
/// largest message by SL number. Precondition: every entry names such an SL, and entries of positive weight cover its
/// MTU.
std::vector<std::uint64_t> wait_bounds(const ArbitrationTable& table, std::span<const std::uint32_t> mtus);

}  // namespace weft
