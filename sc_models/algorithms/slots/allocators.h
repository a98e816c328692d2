#pragma once
// The allocators behind allocate() and allocate_unbounded(): one file each. They share the conventions of
// allocation.h.

#include <optional>
#include <vector>

#include "algorithms/slots/allocation_options.h"
#include "algorithms/slots/flow.h"
#include "algorithms/slots/slot_lut_bank.h"

namespace weft {

/// Order in which the flows are served: as given, or (longest_first and the colouring allocators) those with
/// the most tree edges first, equal ones as given.
std::vector<std::size_t> serving_order(const std::vector<Flow>& flows, Allocator allocator);

/// A flow that found no slots, and where: the first link with fewer than m free slots, else the one that left
/// too few common ones.
struct Misfit {
  std::size_t flow = 0;
  LinkId link = kNoId;
  std::size_t free = 0;  ///< free slots of that link
};

/// first_fit.cpp: serves the flows in `order`, skipping those that already have slots in `flow_slots`, and
/// reserves the lowest m slots free on all links. Stops at the first flow that does not fit.
std::optional<Misfit> first_fit(SlotLutBank& luts, const std::vector<Flow>& flows,
                                const std::vector<std::size_t>& order, std::vector<FlowSlots>& flow_slots);

/// slot_update.cpp: the same, each link taking the free slots that come soonest.
std::optional<Misfit> soonest_fit(SlotLutBank& luts, const std::vector<Flow>& flows,
                                  const std::vector<std::size_t>& order, Cycle hop_latency,
                                  std::vector<FlowSlots>& flow_slots);

}  // namespace weft
