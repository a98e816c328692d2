#pragma once
// Statistics of a process that runs on for ever, of which a simulation sees a part: where its warm-up ends, how sure
// its mean is, whether it still rises. Plain functions of batches, which are consecutive stretches of time.
//
// Sources: MSER and MSER-5: White, "An effective truncation heuristic for bias reduction in simulation output",
// Simulation 69(6), 1997. Batch means with a correction for the correlation that is left: Steiger et al., "ASAP3: a
// batch means procedure for steady-state simulation analysis", ACM TOMACS 15(1), 2005.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace weft {

/// Observations in a stretch of time: how many there are (or how long it is), and their sum.
struct Batch {
  double count = 0;
  double sum = 0;
};

/// Number of leading batches that belong to the warm-up (MSER): without them the standard error of the mean is least.
/// At most half of the batches, rounded down. With batches of five observations this is MSER-5.
std::size_t warm_up_batches(std::span<const Batch> batches);

/// Batches of at least `least` observations on average, each made of the same number of neighbours; what is left at the
/// end is dropped.
std::vector<Batch> group_by_count(std::span<const Batch> batches, double least);
/// Quantile of Student's t: |t| stays below it with probability `confidence`.
double student_t(double confidence, std::size_t degrees_of_freedom);

/// Confidence interval of a mean, by batch means.
struct MeanInterval {
  double mean = 0;        ///< of all observations
  double half_width = 0;  ///< mean +- half_width holds the true mean with the confidence asked for
  std::size_t batches = 0;
  double correlation = 0;  ///< of neighbouring batch means; a positive one widens the interval
  double widened = 1;      ///< by so much
  /// More than the correction can be trusted with: the batches are shorter than the process remembers.
  bool correlated() const { return correlation > 0.5; }
};

/// Number of batches that intervals are made of: this one down to half of it (Schmeiser, Operations Research 30(3),
/// 1982: more than 30 gain nothing). Their length doubles as time goes on, so that a little more time changes little.
inline constexpr std::size_t kMostBatches = 32;
/// With fewer there is no interval.
inline constexpr std::size_t kFewestBatches = 8;
/// Observations of a batch on average, at least.
inline constexpr double kLeastPerBatch = 5;

/// The interval of sum over count, from any number of batches; none where the observations are too few for
/// kFewestBatches batches. Batches may differ in their count (ratio estimator).
std::optional<MeanInterval> mean_interval(std::span<const Batch> batches, double confidence,
                                          double least_per_batch = kLeastPerBatch);

}  // namespace weft
