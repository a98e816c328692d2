#pragma once
// Fewer rings by exchanging slots between channels: tries pairs of slots of different channels at random and keeps
// every exchange that does not cost a ring more. For small grids: it holds the pairs of every slot.

#include <cstdint>

#include "algorithms/alltoall/channel_plan.h"
#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

/// Whether the grid is small enough for exchange_slots (some 10 MB, about a second).
bool can_exchange(const Schedule& schedule);

/// Never makes the plan worse. The same seed gives the same plan.
void exchange_slots(const Schedule& schedule, std::uint64_t seed, ChannelPlan& plan);

}  // namespace weft::alltoall
