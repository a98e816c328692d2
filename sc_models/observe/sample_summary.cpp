#include "observe/sample_summary.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "observe/steady_state.h"

namespace weft {

SampleSummary::SampleSummary(std::vector<double> samples) : sorted_(std::move(samples)) {
  // Sorted first: the sums do not depend on the order in which runs ended.
  std::sort(sorted_.begin(), sorted_.end());
  const auto n = static_cast<long double>(sorted_.size());
  if (sorted_.empty()) return;
  long double sum = 0;
  for (const double x : sorted_) sum += x;
  const long double mean = sum / n;
  mean_ = static_cast<double>(mean);
  if (sorted_.size() < 2) return;
  long double squares = 0;  // of the differences: no cancellation for a small spread around a large mean
  for (const double x : sorted_) squares += (x - mean) * (x - mean);
  stddev_ = static_cast<double>(std::sqrt(squares / (n - 1)));
}

std::optional<double> SampleSummary::mean() const {
  return sorted_.empty() ? std::nullopt : std::optional<double>(mean_);
}

std::optional<double> SampleSummary::min() const {
  return sorted_.empty() ? std::nullopt : std::optional<double>(sorted_.front());
}

std::optional<double> SampleSummary::max() const {
  return sorted_.empty() ? std::nullopt : std::optional<double>(sorted_.back());
}

std::optional<double> SampleSummary::stddev() const {
  return sorted_.size() < 2 ? std::nullopt : std::optional<double>(stddev_);
}

std::optional<double> SampleSummary::ci95_half_width() const {
  if (sorted_.size() < 2) return std::nullopt;
  return student_t(0.95, sorted_.size() - 1) * stddev_ / std::sqrt(static_cast<double>(sorted_.size()));
}

std::optional<double> SampleSummary::percentile(double percent) const {
  if (!(percent >= 0 && percent <= 100)) throw std::invalid_argument("a percentile is from 0 to 100");
  if (sorted_.empty()) return std::nullopt;
  const double n = static_cast<double>(sorted_.size());
  // percent * n is exact for what people ask; percent / 100 would not be.
  const auto rank = static_cast<std::size_t>(std::ceil(percent * n / 100.0));
  return sorted_[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace weft
