#include "observe/level_series.h"

#include <algorithm>
#include <span>

namespace weft {

void LevelSeries::start(Cycle first) {
  first_ = first;
  shift_ = 0;
  covered_ = 0;
  periods_.clear();
}

LevelSeries::Period& LevelSeries::Period::operator+=(const Period& other) {
  generated += other.generated;
  sent += other.sent;
  arrived += other.arrived;
  lost += other.lost;
  latency += other.latency;
  return *this;
}

// Two periods become one.
void LevelSeries::halve() {
  for (std::size_t i = 0; i < periods_.size(); ++i) {
    const Period p = periods_[i];
    if (i % 2 == 0) {
      periods_[i / 2] = p;
    } else {
      periods_[i / 2] += p;
    }
  }
  periods_.resize((periods_.size() + 1) / 2);
  ++shift_;
  covered_ = static_cast<std::uint64_t>(periods_.size()) << shift_;
}

void LevelSeries::add(const LevelSeries& other) {
  while (shift_ < other.shift_) halve();
  before_ += other.before_;
  for (std::size_t i = 0; i < other.periods_.size(); ++i) {
    at(first_ + static_cast<Cycle>(i << other.shift_)) += other.periods_[i];
  }
}

LevelSeries::Period& LevelSeries::grow(Cycle cycle) {
  if (cycle < first_) return before_;
  while (static_cast<std::uint64_t>(cycle - first_) >> shift_ >= kMost) halve();
  const auto index = static_cast<std::size_t>(static_cast<std::uint64_t>(cycle - first_) >> shift_);
  if (index >= periods_.size()) periods_.resize(index + 1);
  covered_ = static_cast<std::uint64_t>(periods_.size()) << shift_;
  return periods_[index];
}

std::uint64_t LevelSeries::generated() const {
  std::uint64_t sum = 0;
  for (const Period& p : periods_) sum += p.generated;
  return sum;
}

// Periods that begin before the cycle.
std::size_t LevelSeries::periods_before(Cycle end) const {
  if (end <= first_) return 0;
  const auto begun = static_cast<std::uint64_t>(end - first_ - 1 + period()) >> shift_;
  return std::min(periods_.size(), static_cast<std::size_t>(begun));
}

std::vector<Batch> LevelSeries::all_latencies(Cycle end) const {
  std::vector<Batch> out;
  const std::size_t count = periods_before(end);
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back({static_cast<double>(periods_[i].arrived), static_cast<double>(periods_[i].latency)});
  }
  return out;
}

std::vector<Batch> LevelSeries::latencies(Cycle end) const {
  std::vector<Batch> out = all_latencies(end);
  const auto open = std::find_if(periods_.begin(), periods_.begin() + static_cast<std::ptrdiff_t>(out.size()),
                                 [](const Period& p) { return p.arrived + p.lost < p.generated; });
  out.resize(static_cast<std::size_t>(open - periods_.begin()));
  return out;
}

std::vector<Batch> LevelSeries::growth(Cycle end) const {
  if (end <= first_) return {};
  LevelSeries whole = *this;
  whole.grow(end - 1);  // time in which nothing has happened
  std::vector<Batch> out;
  const auto over = static_cast<std::size_t>(static_cast<std::uint64_t>(end - first_) >> whole.shift_);
  for (const Period& p : std::span(whole.periods_).first(over)) {
    out.push_back(
        {static_cast<double>(whole.period()), static_cast<double>(p.generated) - static_cast<double>(p.sent)});
  }
  return out;
}

}  // namespace weft
