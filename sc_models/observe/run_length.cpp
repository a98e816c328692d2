#include "observe/run_length.h"

#include <algorithm>

namespace weft {
namespace {

constexpr double kMserBatch = 5;  // observations
constexpr std::size_t kFewestMserBatches = 40;
constexpr double kMargin = 0.9;  // of the half-width: what arrives until the window ends changes it

}  // namespace

RunLength::RunLength(const Goal& goal)
    : goal_(goal),
      first_check_(std::max(std::min(goal.warm_up, goal.at_most - goal.measure - goal.ahead), Cycle{1})),
      half_(std::max(first_check_, std::min(goal.at_most / 2, goal.at_most - goal.measure) - goal.ahead)),
      deadline_(std::max(half_ + 1, goal.at_most - goal.ahead)) {}

RunLength::Decision RunLength::check(Cycle now, std::span<const LevelSeries* const> levels) {
  return measuring_ ? window(now, levels) : warm_up(now, levels);
}

RunLength::Decision RunLength::go_on(Cycle now, Cycle passed, Cycle until) const {
  return {Step::go_on, 0, std::max(now + 1, std::min(until, now + std::max(goal_.ahead, passed / 4)))};
}

RunLength::Decision RunLength::begin(Cycle now, Cycle length) {
  measuring_ = true;
  first_ = std::max(now + 1, std::min(now + goal_.ahead, goal_.at_most - goal_.measure));
  return {Step::measure, first_, std::max(now + 1, std::min(first_ + length, deadline_))};
}

RunLength::Decision RunLength::end(Cycle now, Cycle at) const {
  return {Step::end, std::max({at, first_ + 1, now + 1}), 0};
}

// Whether the warm-up of a level is over.
bool RunLength::over(const LevelSeries& level, Cycle now) {
  const std::vector<Batch> periods = level.latencies(now);
  const std::vector<Batch> batches = group_by_count(periods, kMserBatch);
  if (batches.size() < kFewestMserBatches) return false;
  const std::size_t cut = warm_up_batches(batches);
  if (cut > batches.size() / 4) return state_of(level, now, goal_.confidence, false).saturated;
  const auto size = static_cast<Cycle>(periods.size() / batches.size());
  transient_ = std::max(transient_, static_cast<Cycle>(cut) * size * level.period());
  return true;
}

RunLength::Decision RunLength::warm_up(Cycle now, std::span<const LevelSeries* const> levels) {
  transient_ = 0;
  warmed_up_ = true;
  for (const LevelSeries* l : levels) warmed_up_ = over(*l, now) && warmed_up_;
  if (warmed_up_ || now >= half_) return begin(now, goal_.measure);
  return go_on(now, now, half_);
}

RunLength::Decision RunLength::window(Cycle now, std::span<const LevelSeries* const> levels) {
  bool known = true;
  bool rising = false;
  for (const LevelSeries* l : levels) {
    const LevelState state = state_of(*l, now, goal_.confidence, false);
    known = known && (state.growth_known() || state.known(kMargin * goal_.half_width));
    rising = rising || (state.trend && state.even);
  }
  if (known) return end(now, std::min(now + goal_.ahead, goal_.at_most));
  if (now >= deadline_) {
    out_of_time_ = true;
    return end(now, goal_.at_most);
  }
  if (rising && now < half_) {
    ++given_up_;
    return begin(now, std::max(goal_.measure, now - first_));
  }
  return go_on(now, now - first_, deadline_);
}

}  // namespace weft
