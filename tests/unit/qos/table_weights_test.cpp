// Weights of table entries: the paper's method against its Table 4, the optimal one against trying everything.

#include "algorithms/qos/table_weights.h"

#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

using ::testing::ElementsAre;

WeightRequest table4_weights(std::uint64_t most) {
  WeightRequest r;
  r.levels = {{94, 32, 3}, {164, 16, 2}, {300, 8, 32}, {350, 4, 32}, {40, 2, 16}, {36, 1, 16}, {16, 1, 16}};
  r.most = most;
  r.pool_tenths = 10'240;
  return r;
}

struct Best {
  std::uint64_t error = 0;  // largest |T_i * F - T * share_i|; the share error is that / (T * F)
  std::uint64_t total = 0;
};

bool better(const Best& a, const Best& b) {
  const std::uint64_t left = a.error * b.total;
  const std::uint64_t right = b.error * a.total;
  return left != right ? left < right : a.total < b.total;
}

Best judge(const WeightRequest& r, const std::vector<std::uint64_t>& totals) {
  Best out;
  std::uint64_t sum = 0;
  for (const auto& l : r.levels) sum += l.share;
  out.total = std::accumulate(totals.begin(), totals.end(), std::uint64_t{0});
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const std::uint64_t a = totals[i] * sum;
    const std::uint64_t b = out.total * r.levels[i].share;
    out.error = std::max(out.error, a > b ? a - b : b - a);
  }
  return out;
}

// Every combination of totals within the limits.
Best try_everything(const WeightRequest& r) {
  std::vector<std::uint64_t> totals;
  for (const auto& l : r.levels) totals.push_back(std::uint64_t{l.entries} * l.mtu);
  Best best{UINT64_MAX / 1'000'000, 1};
  for (;;) {
    const Best now = judge(r, totals);
    if (better(now, best)) best = now;
    std::size_t i = 0;
    while (i < totals.size() && totals[i] == r.levels[i].entries * r.most) {
      totals[i] = std::uint64_t{r.levels[i].entries} * r.levels[i].mtu;
      ++i;
    }
    if (i == totals.size()) return best;
    ++totals[i];
  }
}

void expect_within_limits(const WeightRequest& r, const Weights& w) {
  for (std::size_t i = 0; i < r.levels.size(); ++i) {
    EXPECT_GE(least_entry_weight(w.totals[i], r.levels[i].entries), r.levels[i].mtu);
    EXPECT_LE(largest_entry_weight(w.totals[i], r.levels[i].entries), r.most);
  }
  EXPECT_EQ(w.total, std::accumulate(w.totals.begin(), w.totals.end(), std::uint64_t{0}));
}

TEST(PaperWeights, AreThoseOfTable4) {
  const Weights w = paper_weights(table4_weights(96));
  EXPECT_EQ(w.paper_total, 1072U);
  EXPECT_THAT(w.totals, ElementsAre(101, 176, 322, 375, 43, 39, 17));
  EXPECT_EQ(w.total, 1073U);
  EXPECT_NEAR(w.largest_error(table4_weights(96)), 0.0005, 0.00005);
}

TEST(EntryWeight, SpreadsATotalEvenly) {
  std::vector<std::uint32_t> nc;
  for (std::uint32_t e = 0; e < 32; ++e) nc.push_back(entry_weight(101, 32, e));
  EXPECT_EQ(std::count(nc.begin(), nc.end(), 4), 5);
  EXPECT_EQ(std::count(nc.begin(), nc.end(), 3), 27);
  ASSERT_TRUE(rc::check([] {
    const auto n = *rc::gen::inRange<std::uint32_t>(1, 300);
    const auto total = *rc::gen::inRange<std::uint64_t>(n, 20'000'000);
    std::uint64_t sum = 0;
    std::uint32_t low = UINT32_MAX;
    std::uint32_t high = 0;
    for (std::uint32_t e = 0; e < n; ++e) {
      sum += entry_weight(total, n, e);
      low = std::min(low, entry_weight(total, n, e));
      high = std::max(high, entry_weight(total, n, e));
    }
    RC_ASSERT(sum == total);
    RC_ASSERT(high - low <= 1);
    RC_ASSERT(low == least_entry_weight(total, n));
    RC_ASSERT(high == largest_entry_weight(total, n));
  }));
}

TEST(OptimalWeights, BeatThePaperWithItsOwnLimits) {
  // Tighter limit than the paper's (w = 2.8), its own (w = 3), and one that lets the shares come out exactly.
  const double paper = paper_weights(table4_weights(96)).largest_error(table4_weights(96));
  for (const std::uint64_t most : {89, 96, 255}) {
    const Weights w = optimal_weights(table4_weights(most));
    expect_within_limits(table4_weights(most), w);
    EXPECT_LT(w.largest_error(table4_weights(most)), paper) << "M = " << most;
  }
  const Weights exact = optimal_weights(table4_weights(255));
  EXPECT_EQ(exact.largest_error(table4_weights(255)), 0);
  EXPECT_EQ(exact.total, 1500U);  // shares are whole at multiples of 500; 500 and 1000 leave NC less than 32 * 3
}

TEST(OptimalWeights, AreTheBestOfAllOnSmallTables) {
  int inexact = 0;
  ASSERT_TRUE(rc::check([&] {
    WeightRequest r;
    r.most = *rc::gen::inRange<std::uint64_t>(1, 9);
    const int levels = *rc::gen::inRange(1, 5);
    for (int i = 0; i < levels; ++i) {
      r.levels.push_back({*rc::gen::inRange<std::uint64_t>(1, 101), *rc::gen::inRange<std::uint32_t>(1, 4),
                          *rc::gen::inRange<std::uint32_t>(1, static_cast<std::uint32_t>(r.most) + 1)});
    }
    const Weights w = optimal_weights(r);
    for (std::size_t i = 0; i < r.levels.size(); ++i) {
      RC_ASSERT(w.totals[i] >= std::uint64_t{r.levels[i].entries} * r.levels[i].mtu);
      RC_ASSERT(w.totals[i] <= r.levels[i].entries * r.most);
    }
    const Best found = judge(r, w.totals);
    const Best best = try_everything(r);
    RC_ASSERT(found.total == w.total);
    RC_ASSERT(found.error * best.total == best.error * found.total);
    RC_ASSERT(found.total == best.total);
    inexact += best.error > 0 ? 1 : 0;
  }));
  EXPECT_GT(inexact, 20);
}

TEST(OptimalWeights, TakeTheSmallestTotalOfEqualErrors) {
  WeightRequest r;
  r.levels = {{1, 1, 3}, {1, 1, 3}};
  r.most = 1000;
  EXPECT_THAT(optimal_weights(r).totals, ElementsAre(3, 3));
}

TEST(OptimalWeights, AreFoundInTheLargestTables) {
  WeightRequest r;
  r.most = 65'535;
  for (std::uint32_t i = 0; i < 8; ++i) r.levels.push_back({i == 0 ? 999'300U : 100U, 8, 30 + i});
  const Weights w = optimal_weights(r);
  expect_within_limits(r, w);
}

}  // namespace
}  // namespace weft
