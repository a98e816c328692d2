#pragma once
// Exact distribution of latencies in cycles: every value is counted, so percentiles are values that occurred.

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.h"

namespace weft {

class LatencyHistogram {
 public:
  void add(Cycle latency, std::uint64_t times = 1) {
    count_ += times;
    sum_ += latency * static_cast<std::int64_t>(times);
    if (static_cast<std::size_t>(latency) < direct_.size()) [[likely]] {
      direct_[static_cast<std::size_t>(latency)] += times;
    } else {
      add_to_more(latency, times);
    }
  }
  std::uint64_t count() const { return count_; }
  std::optional<double> mean() const;
  std::optional<Cycle> min() const;
  std::optional<Cycle> max() const;
  /// Nearest rank: the least latency that at least `permille` of a thousand do not exceed.
  std::optional<Cycle> percentile(std::uint32_t permille) const;
  /// Latencies that occurred and how often, ascending.
  std::vector<std::pair<Cycle, std::uint64_t>> values() const;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(direct_, beyond_, count_, sum_);
  }

 private:
  static constexpr Cycle kDirect = 1 << 16;
  /// One that has no place in `direct_` yet, or never has: few are.
  void add_to_more(Cycle latency, std::uint64_t times);
  /// Calls visit(latency, times) for the latencies that occurred, ascending, until it returns true.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t i = 0; i < direct_.size(); ++i) {
      if (direct_[i] > 0 && visit(static_cast<Cycle>(i), direct_[i])) return;
    }
    for (const auto& [latency, times] : beyond_) {
      if (visit(latency, times)) return;
    }
  }
  std::vector<std::uint64_t> direct_;
  std::map<Cycle, std::uint64_t> beyond_;
  std::uint64_t count_ = 0;
  std::int64_t sum_ = 0;
};

}  // namespace weft
