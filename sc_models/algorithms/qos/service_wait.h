#pragma once
// How long the message at the head of a service level (SL) may wait for the Deficit Table, from the table alone.
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

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

/// One bound in credits for each SL number below `mtus.size()`; 0 for SLs without entries. `mtus`: credits of the
/// largest message by SL number. Precondition: every entry names such an SL, and entries of positive weight cover its
/// MTU.
std::vector<std::uint64_t> wait_bounds(const ArbitrationTable& table, std::span<const std::uint32_t> mtus);

}  // namespace weft
