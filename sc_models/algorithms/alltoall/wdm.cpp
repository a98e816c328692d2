#include "algorithms/alltoall/wdm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "algorithms/alltoall/bounds.h"
#include "base/random.h"

namespace weft::alltoall {
namespace {

// Below this every number of bands is tried, else only the square root of the number of channels.
constexpr std::uint64_t kHopsToTryAll = 5'000'000;
constexpr std::uint32_t kMostBands = 16;

using Order = std::vector<std::uint32_t>;  // slots, those of one channel beside each other

void cut(const Order& order, ChannelPlan& plan) {
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    plan.channel[order[k]] = k / plan.time_slots;
    plan.time[order[k]] = k % plan.time_slots;
  }
}

Order in_order(std::uint32_t slots) {
  Order order(slots);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

// Groups by bands of a (or of b): through one band upwards in b, through the next downwards.
Order banded_order(const GroupsSchedule& groups, std::uint32_t bands, bool bands_of_a) {
  const Grid& grid = groups.schedule.grid;
  struct Key {
    std::uint32_t band;
    std::int64_t along;
    std::uint32_t across, group;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  const std::uint32_t size = bands_of_a ? grid.width : grid.height;
  for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
    const GroupPattern& p = groups.groups[g].patterns.front();
    const std::uint32_t across = bands_of_a ? p.a : p.b;
    const std::uint32_t along = bands_of_a ? p.b : p.a;
    const std::uint32_t band = (std::max(across, 1U) - 1) * bands / (size - 1);
    keys.push_back({band, band % 2 == 0 ? std::int64_t{along} : -std::int64_t{along}, across, g});
  }
  std::sort(keys.begin(), keys.end());
  Order order;
  order.reserve(groups.schedule.slots);
  for (const Key& k : keys) {
    const SlotGroup& g = groups.groups[k.group];
    for (std::uint32_t s = 0; s < g.degree; ++s) order.push_back(g.first + s);
  }
  for (std::uint32_t s = groups.group_slots; s < groups.schedule.slots; ++s) order.push_back(s);
  return order;
}

ChannelPlan regular_plan(const Schedule& schedule, const GroupsSchedule& groups, const ChannelPlan& empty) {
  ChannelPlan best = empty;
  const auto root = static_cast<std::uint32_t>(std::lround(std::sqrt(empty.channels())));
  const std::uint32_t most = std::min({kMostBands, schedule.grid.width - 1, schedule.grid.height - 1});
  if (most == 0) {  // a line has straight connections only: its patterns follow each other by offset already
    cut(in_order(schedule.slots), best);
    return best;
  }
  if (total_hops(schedule.grid) > kHopsToTryAll) {
    cut(banded_order(groups, std::clamp(root, 1U, most), true), best);
    return best;
  }
  std::uint64_t fewest = ~std::uint64_t{0};
  for (std::uint32_t bands = 1; bands <= most; ++bands) {
    for (const bool bands_of_a : {true, false}) {
      ChannelPlan plan = empty;
      cut(banded_order(groups, bands, bands_of_a), plan);
      const std::uint64_t rings = ring_cost(schedule, plan).rings;
      if (rings >= fewest) continue;
      fewest = rings;
      best = std::move(plan);
    }
  }
  return best;
}

RingKind kind_of(std::uint32_t pair) {
  const std::uint32_t input = pair / 5, output = pair % 5;
  if (input == kHost) return RingKind::inject;
  if (output == kHost) return RingKind::eject;
  return input == output ? RingKind::straight : RingKind::turn;
}

}  // namespace

std::uint32_t channels_needed(std::uint32_t slots, std::uint32_t time_slots) {
  return (slots + time_slots - 1) / time_slots;
}

ChannelPlan assign_channels(const Schedule& schedule, const GroupsSchedule* groups, std::uint32_t wavelengths,
                            std::uint32_t planes, std::uint32_t time_slots, Assignment assignment, std::uint64_t seed) {
  ChannelPlan plan;
  plan.wavelengths = wavelengths;
  plan.planes = planes;
  plan.time_slots =
      time_slots != 0 ? std::min(time_slots, schedule.slots) : channels_needed(schedule.slots, plan.channels());
  plan.channel.resize(schedule.slots);
  plan.time.resize(schedule.slots);
  const std::uint32_t used = channels_needed(schedule.slots, plan.time_slots);
  if (used > plan.channels()) throw std::invalid_argument("assign_channels: the slots do not fit");
  Order order = in_order(schedule.slots);
  switch (assignment) {
    case Assignment::in_order:
      cut(order, plan);
      return plan;
    case Assignment::round_robin:
      for (std::uint32_t s = 0; s < schedule.slots; ++s) {
        plan.channel[s] = s % used;
        plan.time[s] = s / used;
      }
      return plan;
    case Assignment::random: {
      RandomStream random(seed, "alltoall.channels");
      for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
      cut(order, plan);
      return plan;
    }
    case Assignment::regular:
      break;
  }
  if (groups != nullptr) {
    plan = regular_plan(schedule, *groups, plan);
  } else {
    cut(order, plan);
  }
  if (can_exchange(schedule)) exchange_slots(schedule, seed, plan);
  return plan;
}

RingCost ring_cost(const Schedule& schedule, const ChannelPlan& plan) {
  const std::uint32_t nodes = schedule.grid.nodes();
  const Resources resources(schedule.grid);
  std::vector<std::uint32_t> pairs(std::size_t{plan.channels()} * nodes);  // [channel][router]: bit per pair
  for (std::uint32_t s = 0; s < nodes; ++s) {
    for (std::uint32_t d = 0; d < nodes; ++d) {
      const std::uint32_t slot = schedule.slot_of[std::size_t{s} * nodes + d];
      if (slot == kNoSlot) continue;
      std::uint32_t* const of_channel = &pairs[std::size_t{plan.channel[slot]} * nodes];
      visit_pairs(resources, nodes, s, d,
                  [&](std::uint32_t router, std::uint32_t pair) { of_channel[router] |= 1U << pair; });
    }
  }
  RingCost cost;
  std::vector<std::uint32_t> of_router(nodes);
  std::vector<std::uint32_t> wavelengths(std::size_t{plan.planes} * 4 * nodes);  // [plane][link]
  for (std::uint32_t c = 0; c < plan.channels(); ++c) {
    for (std::uint32_t router = 0; router < nodes; ++router) {
      const std::uint32_t set = pairs[std::size_t{c} * nodes + router];
      of_router[router] += static_cast<std::uint32_t>(std::popcount(set));
      std::uint32_t outputs = 0;
      for (std::uint32_t pair = 0; pair < kPairs; ++pair) {
        if ((set >> pair & 1) == 0) continue;
        ++cost.by_kind[static_cast<std::size_t>(kind_of(pair))];
        outputs |= 1U << pair % 5;
      }
      for (std::uint32_t direction = 0; direction < 4; ++direction) {
        const std::size_t link = (std::size_t{c % plan.planes} * nodes + router) * 4 + direction;
        wavelengths[link] += outputs >> direction & 1;
      }
    }
  }
  for (const std::uint32_t rings : of_router) {
    cost.rings += rings;
    cost.most_per_router = std::max(cost.most_per_router, rings);
  }
  std::uint64_t sum = 0;
  for (const std::uint32_t w : wavelengths) {
    sum += w;
    cost.most_wavelengths_per_link = std::max(cost.most_wavelengths_per_link, w);
  }
  cost.mean_wavelengths_per_link =
      static_cast<double>(sum) / (static_cast<double>(link_count(schedule.grid)) * plan.planes);
  return cost;
}

}  // namespace weft::alltoall
