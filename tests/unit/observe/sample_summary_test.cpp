// Against closed forms and the printed tables of Student's t.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "observe/sample_summary.h"

namespace weft {
namespace {

TEST(SampleSummary, FirstNumbersHaveAClosedForm) {
  // 1..n: mean (n + 1) / 2, sample variance n (n + 1) / 12.
  for (int n = 2; n <= 50; ++n) {
    std::vector<double> samples;
    for (int i = n; i >= 1; --i) samples.push_back(i);
    const SampleSummary s(samples);
    EXPECT_EQ(s.mean(), (n + 1) / 2.0);
    EXPECT_NEAR(*s.stddev(), std::sqrt(n * (n + 1) / 12.0), 1e-12);
    EXPECT_EQ(s.min(), 1);
    EXPECT_EQ(s.max(), n);
  }
}

TEST(SampleSummary, IntervalUsesStudentsT) {
  // Two samples 0 and 2: s = sqrt(2), s / sqrt(n) = 1, so the half width is t itself.
  EXPECT_NEAR(*SampleSummary({0, 2}).ci95_half_width(), 12.706, 5e-4);
  // t(0.975) of n - 1 degrees of freedom, as printed in tables, for samples with s = 1.
  const struct {
    int n;
    double t;
  } table[] = {{3, 4.303}, {5, 2.776}, {10, 2.262}, {31, 2.042}};
  for (const auto& row : table) {
    std::vector<double> samples;
    for (int i = 1; i <= row.n; ++i) samples.push_back(i / std::sqrt(row.n * (row.n + 1) / 12.0));
    EXPECT_NEAR(*SampleSummary(samples).ci95_half_width() * std::sqrt(row.n), row.t, 5e-4);
  }
}

TEST(SampleSummary, FewSamplesSayLittle) {
  EXPECT_FALSE(SampleSummary({}).mean());
  EXPECT_FALSE(SampleSummary({}).percentile(50));
  const SampleSummary one({4.5});
  EXPECT_EQ(one.mean(), 4.5);
  EXPECT_FALSE(one.stddev());
  EXPECT_FALSE(one.ci95_half_width());
  EXPECT_EQ(one.percentile(0), 4.5);
  EXPECT_EQ(one.percentile(100), 4.5);
}

TEST(SampleSummary, SmallSpreadAroundALargeMean) {
  const SampleSummary s({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});
  EXPECT_EQ(s.mean(), 1e9 + 10);
  EXPECT_NEAR(*s.stddev(), std::sqrt(30.0), 1e-9);
}

TEST(SampleSummary, PercentilesAreNearestRanks) {
  std::vector<double> hundred;
  for (int i = 1; i <= 100; ++i) hundred.push_back(i);
  const SampleSummary s(hundred);
  for (int p = 1; p <= 100; ++p) EXPECT_EQ(s.percentile(p), p);
  EXPECT_EQ(s.percentile(0), 1);
  EXPECT_EQ(s.percentile(99.5), 100);
  EXPECT_EQ(SampleSummary({15, 20, 35, 40, 50}).percentile(30), 20);
  EXPECT_EQ(SampleSummary({15, 20, 35, 40, 50}).percentile(40), 20);
  EXPECT_EQ(SampleSummary({15, 20, 35, 40, 50}).percentile(50), 35);
  EXPECT_ANY_THROW(s.percentile(101));
}

TEST(SampleSummary, PercentileByCounting) {
  EXPECT_TRUE(rc::check([] {
    const auto numbers = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-50, 50)));
    const int percent = *rc::gen::inRange(1, 101);
    const SampleSummary s(std::vector<double>(numbers.begin(), numbers.end()));
    const double v = *s.percentile(percent);
    const auto share = [&](auto&& in) {
      return 100 * std::count_if(numbers.begin(), numbers.end(), in) >= percent * static_cast<long>(numbers.size());
    };
    RC_ASSERT(share([&](int x) { return x <= v; }));
    RC_ASSERT(!share([&](int x) { return x < v; }));
  }));
}

}  // namespace
}  // namespace weft
