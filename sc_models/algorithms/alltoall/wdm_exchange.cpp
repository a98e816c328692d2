#include "algorithms/alltoall/wdm.h"

#include <utility>
#include <vector>

#include "base/random.h"

namespace weft::alltoall {
namespace {

constexpr std::uint64_t kMostConnections = 25'000;  // 12 x 12
constexpr std::uint64_t kMostWork = 60'000'000;     // pairs of slots looked at
constexpr std::uint64_t kTriesPerSlot = 1000;

class Exchanger {
 public:
  Exchanger(const Schedule& schedule, ChannelPlan& plan)
      : plan_(plan),
        kinds_(std::size_t{schedule.grid.nodes()} * kPairs),
        uses_(kinds_ * plan.channels()),
        pairs_(schedule.slots) {
    const std::uint32_t nodes = schedule.grid.nodes();
    const Resources resources(schedule.grid);
    for (std::size_t c = 0; c < schedule.slot_of.size(); ++c) {
      const std::uint32_t slot = schedule.slot_of[c];
      if (slot == kNoSlot) continue;
      visit_pairs(resources, nodes, static_cast<std::uint32_t>(c / nodes), static_cast<std::uint32_t>(c % nodes),
                  [&](std::uint32_t router, std::uint32_t pair) { pairs_[slot].push_back(router * kPairs + pair); });
    }
    for (std::uint32_t slot = 0; slot < schedule.slots; ++slot) change(slot, plan.channel[slot], 1);
  }

  void run(std::uint64_t seed) {
    RandomStream random(seed, "alltoall.exchange");
    const std::uint64_t slots = pairs_.size();
    std::uint64_t work = 0;
    for (std::uint64_t tries = 0; tries < slots * kTriesPerSlot && work < kMostWork; ++tries) {
      const auto s = static_cast<std::uint32_t>(random.below(slots));
      const auto t = static_cast<std::uint32_t>(random.below(slots));
      if (plan_.channel[s] == plan_.channel[t]) continue;
      work += 2 * (pairs_[s].size() + pairs_[t].size());
      if (exchange(s, t) > 0) exchange(s, t);
    }
  }

 private:
  // Adds to, or takes from, a channel what a slot switches; returns the rings that this adds.
  std::int64_t change(std::uint32_t slot, std::uint32_t channel, int by) {
    std::int64_t rings = 0;
    for (const std::uint32_t p : pairs_[slot]) {
      std::uint32_t& uses = uses_[channel * kinds_ + p];
      if (by > 0) {
        rings += uses++ == 0 ? 1 : 0;
      } else {
        rings -= --uses == 0 ? 1 : 0;
      }
    }
    return rings;
  }

  std::int64_t exchange(std::uint32_t s, std::uint32_t t) {
    std::uint32_t& of_s = plan_.channel[s];
    std::uint32_t& of_t = plan_.channel[t];
    std::int64_t rings = change(s, of_s, -1) + change(t, of_t, -1);
    std::swap(of_s, of_t);
    std::swap(plan_.time[s], plan_.time[t]);
    rings += change(s, of_s, 1) + change(t, of_t, 1);
    return rings;
  }

  ChannelPlan& plan_;
  const std::size_t kinds_;
  std::vector<std::uint32_t> uses_;                // [channel][router, pair]: how often it is switched
  std::vector<std::vector<std::uint32_t>> pairs_;  // per slot: router, pair; no two are equal
};

}  // namespace

bool can_exchange(const Schedule& schedule) { return schedule.grid.connections() <= kMostConnections; }

void exchange_slots(const Schedule& schedule, std::uint64_t seed, ChannelPlan& plan) {
  if (plan.channels() > 1) Exchanger(schedule, plan).run(seed);
}

}  // namespace weft::alltoall
