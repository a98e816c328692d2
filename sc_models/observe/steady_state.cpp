#include "observe/steady_state.h"

#include <algorithm>
#include <bit>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace weft {
namespace {

std::vector<Batch> group(std::span<const Batch> batches, std::size_t size) {
  std::vector<Batch> out;
  for (std::size_t i = 0; i + size <= batches.size(); i += size) {
    Batch sum;
    for (const Batch& b : batches.subspan(i, size)) {
      sum.count += b.count;
      sum.sum += b.sum;
    }
    out.push_back(sum);
  }
  return out;
}

Batch total(std::span<const Batch> batches) {
  Batch all;
  for (const Batch& b : batches) {
    all.count += b.count;
    all.sum += b.sum;
  }
  return all;
}

}  // namespace

// From the last batch backwards: the sum of squares of batch means around their mean grows by one term at a time
// (Welford, with the counts as weights).
std::size_t warm_up_batches(std::span<const Batch> batches) {
  double weight = 0;
  double mean = 0;
  double squares = 0;
  double least = std::numeric_limits<double>::infinity();
  std::size_t cut = batches.size() / 2;
  for (std::size_t i = batches.size(); i-- > 0;) {
    const Batch& b = batches[i];
    if (b.count > 0) {
      const double off = b.sum / b.count - mean;
      weight += b.count;
      mean += off * b.count / weight;
      squares += b.count * off * (b.sum / b.count - mean);
    }
    if (i > batches.size() / 2 || weight == 0) continue;
    const double error = squares / (weight * weight);
    if (error > least) continue;
    least = error;
    cut = i;
  }
  return cut;
}

std::vector<Batch> group_by_count(std::span<const Batch> batches, double least) {
  const double all = total(batches).count;
  if (all <= 0) return {};
  const double size = std::ceil(least * static_cast<double>(batches.size()) / all);
  return group(batches, static_cast<std::size_t>(std::max(1.0, size)));
}

double student_t(double confidence, std::size_t degrees_of_freedom) {
  using Double = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, Double> distribution(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(distribution, 0.5 + confidence / 2);
}

std::optional<MeanInterval> mean_interval(std::span<const Batch> batches, double confidence, double least_per_batch) {
  const Batch all = total(batches);
  const auto most = static_cast<std::size_t>(std::min(all.count / least_per_batch, double{kMostBatches}));
  if (most < kFewestBatches) return std::nullopt;
  std::size_t size = std::max<std::size_t>(1, (batches.size() + most - 1) / most);
  if (most == kMostBatches) size = std::bit_ceil(size);
  const std::vector<Batch> grouped = group(batches, size);
  if (grouped.size() < kFewestBatches) return std::nullopt;
  MeanInterval out;
  out.mean = all.sum / all.count;
  out.batches = grouped.size();
  const Batch used = total(grouped);
  const double mean = used.sum / used.count;
  double squares = 0;
  double products = 0;
  double previous = 0;
  for (const Batch& b : grouped) {
    const double off = b.sum - mean * b.count;
    squares += off * off;
    products += off * previous;
    previous = off;
  }
  if (squares <= 0) {  // all alike; of those that fill no group one may still differ
    out.half_width = std::abs(out.mean - mean);
    return out;
  }
  const auto n = static_cast<double>(grouped.size());
  out.correlation = products / squares;
  const double kept = std::clamp(out.correlation, 0.0, 0.8);
  out.widened = std::sqrt((1 + kept) / (1 - kept));
  const double error = out.widened * std::sqrt(squares / (n - 1) / n) / (used.count / n);
  out.half_width = student_t(confidence, grouped.size() - 1) * error;
  return out;
}

}  // namespace weft
