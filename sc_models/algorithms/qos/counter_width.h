#pragma once
// How wide the counters of a Deficit Table must be so that they never saturate.
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

#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

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

}  // namespace weft
