#pragma once
// Summary of a few independent samples: mean, spread, confidence interval, percentiles.
//
// The standard deviation is that of a sample (n - 1). The 95% confidence interval of the mean assumes independent,
// normally distributed samples: mean +- t * s / sqrt(n), with Student's t of n - 1 degrees of freedom.

#include <optional>
#include <vector>

namespace weft {

class SampleSummary {
 public:
  explicit SampleSummary(std::vector<double> samples);

  std::size_t count() const { return sorted_.size(); }
  std::optional<double> mean() const;  ///< of at least one sample
  std::optional<double> min() const;
  std::optional<double> max() const;
  std::optional<double> stddev() const;           ///< of at least two samples
  std::optional<double> ci95_half_width() const;  ///< of at least two samples
  /// Nearest rank, so always one of the samples: the least one that at least `percent` % of all do not exceed.
  /// `percent` from 0 to 100.
  std::optional<double> percentile(double percent) const;

 private:
  std::vector<double> sorted_;
  double mean_ = 0;
  double stddev_ = 0;
};

}  // namespace weft
