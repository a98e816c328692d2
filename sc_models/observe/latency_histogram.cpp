#include "observe/latency_histogram.h"

#include <algorithm>

namespace weft {

std::optional<double> LatencyHistogram::mean() const {
  if (count_ == 0) return std::nullopt;
  return static_cast<double>(sum_) / static_cast<double>(count_);
}

void LatencyHistogram::add_to_more(Cycle latency, std::uint64_t times) {
  if (latency < 0 || latency >= kDirect) {
    beyond_[latency] += times;
    return;
  }
  direct_.resize(static_cast<std::size_t>(std::min(latency * 2 + 64, kDirect)));
  direct_[static_cast<std::size_t>(latency)] += times;
}

std::vector<std::pair<Cycle, std::uint64_t>> LatencyHistogram::values() const {
  std::vector<std::pair<Cycle, std::uint64_t>> out;
  each([&](Cycle latency, std::uint64_t n) {
    out.emplace_back(latency, n);
    return false;
  });
  return out;
}

std::optional<Cycle> LatencyHistogram::min() const {
  std::optional<Cycle> out;
  each([&](Cycle latency, std::uint64_t) {
    out = latency;
    return true;
  });
  return out;
}

std::optional<Cycle> LatencyHistogram::max() const {
  if (!beyond_.empty()) return beyond_.rbegin()->first;
  for (std::size_t i = direct_.size(); i-- > 0;) {
    if (direct_[i] > 0) return static_cast<Cycle>(i);
  }
  return std::nullopt;
}

std::optional<Cycle> LatencyHistogram::percentile(std::uint32_t permille) const {
  std::uint64_t seen = 0;
  std::optional<Cycle> out;
  each([&](Cycle latency, std::uint64_t n) {
    seen += n;
    if (seen * 1000 < count_ * permille) return false;
    out = latency;
    return true;
  });
  return out;
}

}  // namespace weft
