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

#include "algorithms/alltoall/groups_schedule.h"
#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

// Assignment of the slots of a schedule to wavelengths, planes and time slots (algorithms/alltoall/wdm.h).

/// Place of every slot of a schedule. Channel c is wavelength c / planes of plane c % planes.
struct ChannelPlan {
  std::uint32_t wavelengths = 1;
  std::uint32_t planes = 1;
  std::uint32_t time_slots = 0;
  std::vector<std::uint32_t> channel;  ///< per slot of the schedule
  std::vector<std::uint32_t> time;     ///< per slot, below time_slots

  std::uint32_t channels() const { return wavelengths * planes; }
  std::uint32_t wavelength(std::uint32_t slot) const { return channel[slot] / planes; }
  std::uint32_t plane(std::uint32_t slot) const { return channel[slot] % planes; }
};

/// Assignment of slots to channels. in_order: slot s to channel s / time slots; round_robin: s mod channels; random: a
/// random order cut as in_order; regular: see above (needs the groups).
enum class Assignment { in_order, round_robin, random, regular };

/// Use of a ring, by its input and output.
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

// Fewer rings by exchanging slots between channels: tries pairs of slots of different channels at random and keeps
// every exchange that does not cost a ring more. For small grids: it holds the pairs of every slot.

/// Whether the grid is small enough for exchange_slots (some 10 MB, about a second).
bool can_exchange(const Schedule& schedule);

/// Never makes the plan worse. The same seed gives the same plan.
void exchange_slots(const Schedule& schedule, std::uint64_t seed, ChannelPlan& plan);

// Input and output that a connection joins in each router of its route, as a number: 5 * input + output, both 0 to 3
// for the direction of travel (+x, -x, +y, -y) and 4 for the host.

inline constexpr std::uint32_t kHost = 4;
inline constexpr std::uint32_t kPairs = 25;

constexpr std::uint32_t router_pair(std::uint32_t input, std::uint32_t output) { return 5 * input + output; }

/// Calls visit(router, pair) for each router of the route of source -> destination.
template <class Visit>
void visit_pairs(const Resources& resources, std::uint32_t nodes, std::uint32_t source, std::uint32_t destination,
                 Visit&& visit_one) {
  std::uint32_t input = kHost;
  resources.visit(source, destination, [&](std::uint32_t r) {
    if (r >= 4 * nodes) return;  // sender, receiver
    visit_one(r / 4, router_pair(input, r % 4));
    input = r % 4;
  });
  visit_one(destination, router_pair(input, kHost));
}

}  // namespace weft::alltoall
