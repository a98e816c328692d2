#include "algorithms/qos/table_weights.h"

#include <algorithm>
#include <cmath>

#include "algorithms/qos/table_request.h"

namespace weft {
namespace {

__extension__ using Product = __int128;  // products of totals and shares of two candidates

std::uint64_t sum_of_shares(const WeightRequest& request) {
  std::uint64_t sum = 0;
  for (const WeightLevel& level : request.levels) sum += level.share;
  return sum;
}

// Errors are kept as whole numbers e = |T_i * F - T * share_i|, F the sum of shares; the share error is e / (T * F).
class OptimalSearch {
 public:
  explicit OptimalSearch(const WeightRequest& request) : sum_(sum_of_shares(request)) {
    for (const WeightLevel& l : request.levels) {
      levels_.push_back({static_cast<std::int64_t>(l.share), std::int64_t{l.entries} * l.mtu,
                         static_cast<std::int64_t>(l.entries * request.most)});
      lowest_ += levels_.back().low;
      highest_ += levels_.back().high;
    }
  }

  Weights run() {
    // From the first total that gives each SL its share and the MTU of its entries: a good error bound at once.
    std::int64_t start = lowest_;
    for (const Level& l : levels_) start = std::max(start, (l.low * sum_ + l.share - 1) / l.share);
    improve(std::min(start, highest_));
    for (std::int64_t total = lowest_; total <= highest_ && !(best_error_ == 0 && total >= best_total_); ++total) {
      if (total < best_total_ && useless_and_below(total)) {
        total = first_useful_after(total) - 1;
        continue;
      }
      if (useless_and_above(total)) break;
      improve(total);
    }
    return weights();
  }

 private:
  struct Level {
    std::int64_t share;
    std::int64_t low;   // n * MTU
    std::int64_t high;  // n * M
  };
  struct Range {
    std::int64_t low;
    std::int64_t high;
  };

  Range range(const Level& l, std::int64_t total, std::int64_t error) const {
    const std::int64_t target = total * l.share;
    const std::int64_t above = target - error;
    return {std::max(l.low, above <= 0 ? 0 : (above + sum_ - 1) / sum_), std::min(l.high, (target + error) / sum_)};
  }

  bool feasible(std::int64_t total, std::int64_t error) const {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (const Level& l : levels_) {
      const Range r = range(l, total, error);
      if (r.low > r.high) return false;
      low += r.low;
      high += r.high;
    }
    return low <= total && total <= high;
  }

  // Whether error / total is at least as good as the best one known, or better.
  bool matches_best(std::int64_t error, std::int64_t total) const {
    return Product{error} * best_total_ <= Product{best_error_} * total;
  }
  bool beats_best(std::int64_t error, std::int64_t total) const {
    return Product{error} * best_total_ < Product{best_error_} * total;
  }

  void improve(std::int64_t total) {
    // The largest error that still counts: a better one, or an equal one with a smaller total.
    std::int64_t high = total * sum_;
    if (best_total_ != 0) {
      high = static_cast<std::int64_t>(Product{best_error_} * total / best_total_);
      if (total >= best_total_ && !beats_best(high, total)) --high;
      if (high < 0) return;
    }
    if (!feasible(total, high)) return;
    std::int64_t low = 0;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (feasible(total, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    best_total_ = total;
    best_error_ = high;
  }

  // An SL's smallest total is too large a part of `total`; true for every smaller one too.
  bool useless_and_below(std::int64_t total) const {
    return std::any_of(levels_.begin(), levels_.end(), [&](const Level& l) {
      return l.low * sum_ > total * l.share && !matches_best(l.low * sum_ - total * l.share, total);
    });
  }
  std::int64_t first_useful_after(std::int64_t total) const {
    std::int64_t below = total;
    std::int64_t above = best_total_;
    while (below + 1 < above) {
      const std::int64_t middle = below + (above - below) / 2;
      (useless_and_below(middle) ? below : above) = middle;
    }
    return above;
  }
  // An SL's largest total is too small a part of `total`; true for every larger one too.
  bool useless_and_above(std::int64_t total) const {
    return std::any_of(levels_.begin(), levels_.end(), [&](const Level& l) {
      return l.high * sum_ < total * l.share && !matches_best(total * l.share - l.high * sum_, total);
    });
  }

  // The totals of the SLs at the best total: each at the low end of its range, the rest to those that lack most.
  Weights weights() const {
    Weights out;
    out.total = static_cast<std::uint64_t>(best_total_);
    std::vector<Range> ranges;
    std::int64_t left = best_total_;
    for (const Level& l : levels_) {
      ranges.push_back(range(l, best_total_, best_error_));
      left -= ranges.back().low;
    }
    const auto lack = [&](std::size_t i) { return best_total_ * levels_[i].share - ranges[i].low * sum_; };
    for (; left > 0; --left) {
      std::size_t most = ranges.size();
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (ranges[i].low < ranges[i].high && (most == ranges.size() || lack(i) > lack(most))) most = i;
      }
      ++ranges[most].low;
    }
    for (const Range& r : ranges) out.totals.push_back(static_cast<std::uint64_t>(r.low));
    return out;
  }

  std::int64_t sum_;
  std::vector<Level> levels_;
  std::int64_t lowest_ = 0;
  std::int64_t highest_ = 0;
  std::int64_t best_total_ = 0;  // 0: none yet
  std::int64_t best_error_ = 0;
};

}  // namespace

double Weights::error(const WeightRequest& request, std::size_t level) const {
  const auto sum = static_cast<std::int64_t>(sum_of_shares(request));
  const std::int64_t numerator =
      static_cast<std::int64_t>(totals[level]) * sum - static_cast<std::int64_t>(total * request.levels[level].share);
  return static_cast<double>(numerator) / (static_cast<double>(total) * static_cast<double>(sum));
}

double Weights::largest_error(const WeightRequest& request) const {
  double out = 0;
  for (std::size_t i = 0; i < totals.size(); ++i) out = std::max(out, std::abs(error(request, i)));
  return out;
}

Weights paper_weights(const WeightRequest& request) {
  const std::uint64_t sum = sum_of_shares(request);
  Weights out;
  for (const WeightLevel& l : request.levels) {
    out.paper_total += l.entries * divide_up(l.share * request.pool_tenths, 10 * sum * l.entries);
  }
  for (const WeightLevel& l : request.levels) {
    out.totals.push_back((2 * l.share * out.paper_total + sum) / (2 * sum));  // rounded, halves up
    out.total += out.totals.back();
  }
  return out;
}

Weights optimal_weights(const WeightRequest& request) { return OptimalSearch(request).run(); }

std::uint32_t entry_weight(std::uint64_t total, std::uint32_t n, std::uint32_t index) {
  return static_cast<std::uint32_t>((index + 1) * total / n - index * total / n);
}
std::uint32_t least_entry_weight(std::uint64_t total, std::uint32_t n) { return static_cast<std::uint32_t>(total / n); }
std::uint32_t largest_entry_weight(std::uint64_t total, std::uint32_t n) {
  return static_cast<std::uint32_t>(divide_up(total, n));
}

}  // namespace weft
