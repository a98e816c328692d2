#include "observe/latency_histogram.h"

namespace weft {

std::optional<double> LatencyHistogram::mean() const {
  if (count_ == 0) return std::nullopt;
  return static_cast<double>(sum_) / static_cast<double>(count_);
}

std::vector<std::pair<Cycle, std::uint64_t>> LatencyHistogram::values() const {
  std::vector<std::pair<Cycle, std::uint64_t>> out;
  for (std::size_t i = 0; i < direct_.size(); ++i) {
    if (direct_[i] > 0) out.emplace_back(static_cast<Cycle>(i), direct_[i]);
  }
  out.insert(out.end(), beyond_.begin(), beyond_.end());
  return out;
}

std::optional<Cycle> LatencyHistogram::min() const {
  const auto all = values();
  return all.empty() ? std::nullopt : std::optional<Cycle>(all.front().first);
}

std::optional<Cycle> LatencyHistogram::max() const {
  const auto all = values();
  return all.empty() ? std::nullopt : std::optional<Cycle>(all.back().first);
}

std::optional<Cycle> LatencyHistogram::percentile(std::uint32_t permille) const {
  std::uint64_t seen = 0;
  for (const auto& [latency, n] : values()) {
    seen += n;
    if (seen * 1000 >= count_ * permille) return latency;
  }
  return std::nullopt;
}

}  // namespace weft
