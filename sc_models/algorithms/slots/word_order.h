#pragma once
// The order of words where slot numbers change from hop to hop.
//
// A circuit of m slots sends m words per frame, in the order in which its lanes come up. When a switch maps
// lanes to other slots, word j must not overtake word j-1: the words of the lanes must leave in the order
// they arrived, however the slots were chosen. This file holds that rule for the allocator; its timing is
// that of the FiC-SW data path (a word can leave one cycle after it was written, and its register is written
// again one frame later).

#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weft {

/// Cycles in which the lanes leave. `arrivals`: when the lanes' words are written, strictly ascending,
/// spanning less than a frame of `frame` slots; `chosen`: as many distinct slots, in any order. With B_0 <
/// B_1 < ... the cycles in which chosen slots come up, lane j leaves in B_{j+c} for the smallest c with
/// B_{j+c} > arrivals[j] for all j. So the departures ascend strictly and span less than a frame, each delay
/// is between 1 and `frame` cycles, and lane j uses slot departures[j] mod frame.
std::vector<Cycle> departures_in_order(const std::vector<Cycle>& arrivals, std::vector<Slot> chosen, Cycle frame);

}  // namespace weft
