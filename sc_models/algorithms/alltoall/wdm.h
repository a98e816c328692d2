#pragma once
// A schedule's slots spread over wavelengths and planes: T conflict-free slots, W wavelengths in each of P planes
// (waveguides or parallel links side by side), ceil(T / (W * P)) time slots. A whole slot goes to one time slot of one
// channel (wavelength and plane), so nothing has to be checked again.
//
// The price are resonators. A router needs one ring for every (channel, input, output) that any slot of the channel
// switches in it; inputs are the host and the four directions a connection can come from, outputs the four directions
// and the host. The same pair in many slots of a channel needs one ring, so slots with equal pairs belong on one
// channel. Group (a, b) of groups.h sends from column x in +x if x < width - a, else in -x, and turns in column x into
// the rows likewise by b, so groups with near a and near b need the same rings in most routers: `regular` cuts the
// plane of (a, b) into bands of a, each run through in the order of b, which gives every channel a nearly square patch.
// Small grids are then improved by exchanging single slots. Source: Carpenter and Melhem (2013), "future work": the
// regularity limits the rings that WDM needs.

#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/alltoall/channel_plan.h"
#include "algorithms/alltoall/groups_schedule.h"
#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

/// How slots find their channel. in_order: slot s to channel s / time slots; round_robin: s mod channels; random: a
/// random order cut as in_order; regular: see above (needs the groups).
enum class Assignment { in_order, round_robin, random, regular };

/// What a ring does, by its input and output.
enum class RingKind { inject, straight, turn, eject };
inline constexpr std::size_t kRingKinds = 4;

struct RingCost {
  std::uint64_t rings = 0;  ///< of all routers, all channels
  std::array<std::uint64_t, kRingKinds> by_kind{};
  std::uint32_t most_per_router = 0;
  std::uint32_t most_wavelengths_per_link = 0;  ///< of any link of one plane
  double mean_wavelengths_per_link = 0;         ///< over the links of all planes
};

/// Fewest channels with which `slots` fit into `time_slots`.
std::uint32_t channels_needed(std::uint32_t slots, std::uint32_t time_slots);

/// Spreads the slots over wavelengths * planes channels of at most `time_slots` each (0: ceil(slots / channels)), using
/// the first channels only when time_slots leaves some over. `groups` says what the slots are, null for a schedule that
/// has no groups: then regular begins with in_order. The slots must fit.
ChannelPlan assign_channels(const Schedule& schedule, const GroupsSchedule* groups, std::uint32_t wavelengths,
                            std::uint32_t planes, std::uint32_t time_slots, Assignment assignment, std::uint64_t seed);

/// Counts rings and wavelengths, route by route.
RingCost ring_cost(const Schedule& schedule, const ChannelPlan& plan);

}  // namespace weft::alltoall
