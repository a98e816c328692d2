#include "observe/level_state.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace weft {
namespace {

constexpr double kSureToRise = 0.99;
constexpr double kSureToGrow = 0.999;  // a run has many levels, a sweep many runs
// As a share of what is generated.
constexpr double kLeastGrowth = 0.01;  // of a saturated level
constexpr double kMostGrowth = 0.02;   // that may be left open where there is none

// Half of the batches.
std::span<const Batch> first_half(const std::vector<Batch>& all) { return std::span(all).first(all.size() / 2); }
std::span<const Batch> second_half(const std::vector<Batch>& all) { return std::span(all).subspan(all.size() / 2); }

void set_drift(const std::vector<Batch>& latencies, LevelState& out) {
  const auto first = mean_interval(first_half(latencies), kSureToRise);
  const auto second = mean_interval(second_half(latencies), kSureToRise);
  if (!first || !second || first->mean <= 0) return;
  const double rise = second->mean - first->mean;
  out.drift = rise / first->mean;
  out.trend = rise > std::hypot(first->half_width, second->half_width);
}

// The increments of a queue without drift have mean 0 whatever its length remembers, and those of one in equilibrium
// cancel each other, so that neither looks like growth. One that fills up to its equilibrium grows more slowly in the
// second half; one behind buffers that fill first grows faster then, so the second half decides.
bool grows_on(const std::vector<Batch>& growth, double least) {
  const auto first = mean_interval(first_half(growth), kSureToGrow, 0);
  const auto second = mean_interval(second_half(growth), kSureToGrow, 0);
  if (!first || !second || first->mean < 0) return false;
  return second->mean - second->half_width > least && second->mean > first->mean / 2;
}

// The half-width as if neighbouring batches were not correlated: growth that changes its pace is still growth.
double uncorrected(const MeanInterval& growth) { return growth.half_width / growth.widened; }

}  // namespace

LevelState state_of(const LevelSeries& series, Cycle end, double confidence, bool whole) {
  LevelState out;
  const std::vector<Batch> latencies = whole ? series.all_latencies(end) : series.latencies(end);
  out.latency = mean_interval(latencies, confidence);
  set_drift(latencies, out);
  const std::vector<Batch> growth = series.growth(end);
  out.growth = mean_interval(growth, kSureToGrow, 0);
  if (!out.growth) return out;
  const double offered = static_cast<double>(series.generated()) / static_cast<double>(end - series.first());
  out.saturated = grows_on(growth, kLeastGrowth * offered);
  out.even = out.growth->mean + out.growth->half_width <= kMostGrowth * offered;
  // Where latencies rise as well, growth need not be more than chance.
  const double chance = out.rising() ? 0 : uncorrected(*out.growth);
  out.open = !out.saturated && out.growth->mean > std::max(kMostGrowth * offered, chance);
  return out;
}

}  // namespace weft
