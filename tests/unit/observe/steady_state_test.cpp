// End of warm-up and confidence intervals, against processes whose mean is known, and the printed table of Student's t.

#include "observe/steady_state.h"

#include <algorithm>
#include <cmath>

#include "unit/observe/steady_process.h"

namespace weft::test {
namespace {

std::vector<Batch> batches_of(Autoregression& process, int count, int size, double mean) {
  std::vector<Batch> out;
  for (int i = 0; i < count; ++i) {
    Batch b;
    for (int k = 0; k < size; ++k) b.sum += mean + process.next();
    b.count = size;
    out.push_back(b);
  }
  return out;
}

double mean_of(const std::vector<Batch>& all, std::size_t from) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = from; i < all.size(); ++i) {
    sum += all[i].sum;
    count += all[i].count;
  }
  return sum / count;
}

TEST(SteadyState, StudentsT) {
  for (const auto& [confidence, freedom, t] : {std::tuple{0.95, 1, 12.706},
                                               {0.95, 10, 2.228},
                                               {0.95, 31, 2.040},
                                               {0.99, 7, 3.499},
                                               {0.9, 30, 1.697},
                                               {0.999, 15, 4.073}}) {
    EXPECT_NEAR(student_t(confidence, static_cast<std::size_t>(freedom)), t, 5e-4);
  }
}

// Batches that fill no group count for the mean alone; where all others are alike, it may be off by what they add.
TEST(SteadyState, OneThatDiffersBehindTheLastGroupIsNotCertain) {
  std::vector<Batch> all(33, Batch{4, 0});
  all.back().sum = 1;
  const auto interval = mean_interval(all, 0.999, 0);
  ASSERT_TRUE(interval.has_value());
  EXPECT_DOUBLE_EQ(interval->mean, 1.0 / (33 * 4));
  EXPECT_GE(interval->half_width, interval->mean);
}

// The definition, term by term: sum of squares of the means from d on over (n - d)^2, for d up to half.
TEST(SteadyState, WarmUpIsTheLeastStandardErrorOfTheRest) {
  RandomStream random(3, "mser");
  for (int round = 0; round < 300; ++round) {
    std::vector<Batch> all;
    const std::size_t n = 1 + random.below(40);
    for (std::size_t i = 0; i < n; ++i) all.push_back({5, 5 * static_cast<double>(random.below(20))});
    std::size_t best = 0;
    double least = 1e300;
    for (std::size_t d = 0; d <= n / 2 && d < n; ++d) {
      double mean = 0;
      for (std::size_t i = d; i < n; ++i) mean += all[i].sum / 5;
      mean /= static_cast<double>(n - d);
      double squares = 0;
      for (std::size_t i = d; i < n; ++i) squares += (all[i].sum / 5 - mean) * (all[i].sum / 5 - mean);
      const double error = squares / static_cast<double>((n - d) * (n - d));
      if (error < least - 1e-9) {
        least = error;
        best = d;
      }
    }
    EXPECT_EQ(warm_up_batches(all), best) << "round " << round;
  }
}

// A process that begins far away from its mean: what decays is cut off, and the mean of the rest is as good as that of
// a process without warm-up.
TEST(SteadyState, WarmUpOfAnAutoregressionIsFound) {
  constexpr double kPhi = 0.95;
  const double far = 30 * Autoregression::deviation(kPhi);
  double with = 0;
  double without = 0;
  double unbiased = 0;
  int within = 0;  // the first quarter
  constexpr int kSeeds = 100;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Autoregression process(static_cast<std::uint64_t>(seed), kPhi, far);
    const std::vector<Batch> all = batches_of(process, 400, 5, 100);
    const std::size_t cut = warm_up_batches(all);
    // phi^(5 d) * 30 deviations are 5 after 35 observations, and a tenth after 111.
    EXPECT_GE(cut, 7U) << seed;
    within += cut < 100 ? 1 : 0;
    with += std::pow(mean_of(all, cut) - 100, 2) / kSeeds;
    without += std::pow(mean_of(all, 0) - 100, 2) / kSeeds;
    Autoregression steady(static_cast<std::uint64_t>(seed + 1000), kPhi, 0);
    unbiased += std::pow(mean_of(batches_of(steady, 400, 5, 100), 0) - 100, 2) / kSeeds;
  }
  EXPECT_GE(within, 95);
  EXPECT_LT(with, 2 * unbiased);
  EXPECT_GT(without, 5 * unbiased);
}

TEST(SteadyState, NoEndOfTheWarmUpIsSeenEarlyInWhatRisesOn) {
  for (int seed = 1; seed <= 50; ++seed) {
    Autoregression noise(static_cast<std::uint64_t>(seed), 0.5, 0);
    std::vector<Batch> all;
    for (int i = 0; i < 100; ++i) all.push_back({5, 5 * (i * 0.2 + noise.next())});
    EXPECT_GE(warm_up_batches(all), 35U) << seed;
  }
}

TEST(SteadyState, BatchesWithoutObservationsChangeNothing) {
  const std::vector<Batch> dense{{5, 90}, {5, 40}, {5, 10}, {5, 12}, {5, 9}, {5, 11}, {5, 10}, {5, 8}};
  std::vector<Batch> sparse;
  for (const Batch& b : dense) {
    sparse.push_back(b);
    sparse.push_back({});
  }
  EXPECT_EQ(warm_up_batches(dense), 2U);
  EXPECT_EQ(warm_up_batches(sparse), 4U - 1);  // the empty batch in front of the rest costs nothing
  EXPECT_EQ(warm_up_batches({}), 0U);
}

// How often the interval holds the true mean.
double coverage(double phi, int observations, double confidence) {
  constexpr int kSeeds = 1000;
  int held = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Autoregression process(static_cast<std::uint64_t>(seed), phi, 0);
    for (int i = 0; i < 200; ++i) process.next();
    const auto interval = mean_interval(batches_of(process, observations / 5, 5, 7), confidence);
    if (!interval) return -1;
    held += std::abs(interval->mean - 7) <= interval->half_width ? 1 : 0;
  }
  return static_cast<double>(held) / kSeeds;
}

// A thousand seeds: the standard deviation of a coverage of 95 percent is 0.7 percent.
TEST(SteadyState, IntervalsHoldTheMeanAsOftenAsTheySay) {
  for (const double phi : {0.0, 0.5, 0.9}) {
    EXPECT_NEAR(coverage(phi, 3200, 0.95), 0.95, 0.025) << phi;
    EXPECT_NEAR(coverage(phi, 3200, 0.8), 0.8, 0.05) << phi;
  }
  // Batches of 20 observations of a process that remembers 20: the correction widens the interval.
  EXPECT_NEAR(coverage(0.9, 640, 0.95), 0.94, 0.025);
}

TEST(SteadyState, FewObservationsHaveNoInterval) {
  std::vector<Batch> batches;
  for (int i = 0; i < 39; ++i) batches.push_back({1, static_cast<double>(i % 3)});
  EXPECT_FALSE(mean_interval(batches, 0.95)) << "8 batches of 5 are 40";
  batches.push_back({1, 0});
  ASSERT_TRUE(mean_interval(batches, 0.95));
  EXPECT_EQ(mean_interval(batches, 0.95)->batches, 8U);
  EXPECT_FALSE(mean_interval(std::vector<Batch>(7, {100, 5}), 0.95)) << "7 batches cannot become 8";
  EXPECT_FALSE(mean_interval({}, 0.95));
}

TEST(SteadyState, ConstantsAreKnownExactly) {
  const auto interval = mean_interval(std::vector<Batch>(500, {10, 30}), 0.95);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->mean, 3);
  EXPECT_EQ(interval->half_width, 0);
  EXPECT_EQ(interval->batches, 31U);  // of 16 each, the rest is left out
}

TEST(SteadyState, WhatChangesSlowlyIsCorrelated) {
  int slow = 0;
  int fast = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Autoregression remembers(seed, 0.995, 0);  // 200 observations, a batch has 20
    slow += mean_interval(batches_of(remembers, 128, 5, 0), 0.95)->correlated() ? 1 : 0;
    Autoregression forgets(seed, 0.5, 0);
    fast += mean_interval(batches_of(forgets, 128, 5, 0), 0.95)->correlated() ? 1 : 0;
  }
  EXPECT_GE(slow, 90);
  EXPECT_LE(fast, 1);
}

}  // namespace
}  // namespace weft::test
