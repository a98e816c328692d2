#pragma once
// Steps of allocate(): flows get slots one after the other. Conventions: algorithms/slots/allocation.h.

#include <optional>
#include <vector>

#include "algorithms/slots/allocation_options.h"
#include "algorithms/slots/flow.h"
#include "algorithms/slots/slot_lut_bank.h"
#include "base/ids.h"
#include "base/units.h"

namespace weft {

/// A flow that found no slots, and where: the first link with fewer than m free slots, else the one that left
/// too few common ones.
struct AllocationFailure {
  std::size_t flow = 0;
  LinkId link = kNoId;
  std::size_t free = 0;  ///< free slots of that link
};

/// first_fit.cpp: serves the flows in `order`, skipping those that already have slots in `flow_slots`, and
/// reserves the lowest m slots free on all links, from slot `from` on and then from 0. Stops at the first flow that
/// does not fit.
std::optional<AllocationFailure> first_fit(SlotLutBank& luts, const std::vector<Flow>& flows,
                                           const std::vector<std::size_t>& order, std::vector<FlowSlots>& flow_slots,
                                           Slot from = 0);

/// slot_update.cpp: the same, each link taking the free slots that come soonest. `bundles`: the network has some.
std::optional<AllocationFailure> soonest_fit(SlotLutBank& luts, const std::vector<Flow>& flows,
                                             const std::vector<std::size_t>& order, const AllocationOptions& options,
                                             bool bundles, std::vector<FlowSlots>& flow_slots);

// The order of words where slot numbers change from hop to hop.
//
// A circuit of m slots sends m words per frame, in the order in which its lanes come up. When a switch maps
// lanes to other slots, word j must not overtake word j-1: the words of the lanes must leave in the order
// they arrived, however the slots were chosen. This file holds that rule for the allocator; its timing is
// that of the FiC-SW data path (a word can leave one cycle after it was written, and its register is written
// again one frame later).

/// Cycles in which the lanes leave. `arrivals`: when the lanes' words are written, strictly ascending,
/// spanning less than a frame of `frame` slots; `chosen`: as many distinct slots, in any order. With B_0 <
/// B_1 < ... the cycles in which chosen slots come up, lane j leaves in B_{j+c} for the smallest c with
/// B_{j+c} > arrivals[j] for all j. So the departures ascend strictly and span less than a frame, each delay
/// is between 1 and `frame` cycles, and lane j uses slot departures[j] mod frame.
std::vector<Cycle> departures_in_order(const std::vector<Cycle>& arrivals, std::vector<Slot> chosen, Cycle frame);

/// slot_update.cpp: the same for the slots of `free`, one frame, that come soonest after each arrival. Precondition: at
/// least as many are free as there are arrivals.
std::vector<Cycle> soonest_departures(const SlotSet& free, const std::vector<Cycle>& arrivals);

}  // namespace weft
