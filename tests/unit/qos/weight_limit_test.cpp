// Whole credits: which shares entries of at most M credits can have, against every pair of service levels and against
// trying all weights, and whether what the messages advise would do.

#include <algorithm>
#include <cmath>

#include "algorithms/qos/table_configurator.h"

namespace weft {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// 32 entries each of one credit or more: shares of 0.64 and 0.36 need 2 credits in some entries.
TableRequest coarse() {
  TableRequest r;
  r.gmtu = 1;
  r.levels = {{"A", 0, 2, 640'000, 1}, {"B", 1, 2, 360'000, 1}};
  return r;
}

std::vector<RequestProblem> weight_problems(const TableRequest& request) {
  std::vector<RequestProblem> problems;
  const bool planned = configure_table(request, problems).has_value();
  EXPECT_EQ(planned, problems.empty());
  return problems;
}

// Every two SLs: with j at its MTU and i at M, i has its part beside j or more.
bool exact(const TableRequest& r, const std::vector<std::uint64_t>& counts, std::uint64_t most) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::size_t j = 0; j < counts.size(); ++j) {
      if (r.levels[i].share * counts[j] * r.levels[j].mtu > r.levels[j].share * counts[i] * most) return false;
    }
  }
  return true;
}

// Of two SLs, the smallest largest share error of all weights from the MTU to `most`.
double best_weight_error(const TableRequest& r, std::uint64_t n0, std::uint64_t n1, std::uint64_t most) {
  const double wanted = static_cast<double>(r.levels[0].share) / static_cast<double>(share_sum(r));
  double best = 1;
  for (std::uint64_t a = n0 * r.levels[0].mtu; a <= n0 * most; ++a) {
    for (std::uint64_t b = n1 * r.levels[1].mtu; b <= n1 * most; ++b) {
      best = std::min(best, std::abs(static_cast<double>(a) / static_cast<double>(a + b) - wanted));
    }
  }
  return best;
}

TEST(WeightLimit, RefusesSharesThatTheCutOfWLeavesOut) {
  TableRequest r = coarse();
  r.w_tenths = 19;  // M = 1: both have one half
  const auto problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].key, RequestKey::share);
  EXPECT_EQ(problems[0].level, 0U);
  EXPECT_THAT(problems[0].message, AllOf(HasSubstr("k = 1.4 and w = 1.9"), HasSubstr("0.357143 with M = 1 credit;"),
                                         HasSubstr("w of 2 or more would do")));
  r.w_tenths = 20;
  std::vector<RequestProblem> none;
  const auto plan = configure_table(r, none);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->optimal.largest_error, 0);
  EXPECT_DOUBLE_EQ(plan->optimal.max_shares[0], 32.0 * 2 / (64 * 1.4));
}

TEST(WeightLimit, UsesWhatAnEntryCanHoldWhereWIsSearched) {
  TableRequest r = coarse();
  r.max_weight = 2;  // the search alone finds w = 1.8, M = 1; the paper's weights are up to 3
  std::vector<RequestProblem> problems;
  const auto plan = configure_table(r, problems);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->optimal.most, 2U);
  EXPECT_EQ(plan->optimal.largest_error, 0);
  r.max_weight = 1;
  EXPECT_THAT(weight_problems(r), SizeIs(1));
}

// k = 0.85 is rounded up to 0.9, M = 90; but entries of 85 give both one half.
TEST(WeightLimit, AcceptsWhatOnlyTheTenthsOfKExclude) {
  TableRequest r;
  r.entries = 2;
  r.gmtu = 100;
  r.max_weight = 85;
  r.levels = {{"A", 0, 2, 500'000, 85}, {"B", 1, 2, 500'000, 85}};
  for (int fixed = 0; fixed < 2; ++fixed) {
    if (fixed == 1) r.k_tenths = 9;
    std::vector<RequestProblem> problems;
    const auto plan = configure_table(r, problems);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->optimal.table, (ArbitrationTable{{0, 85}, {1, 85}}));
    EXPECT_EQ(plan->optimal.most, 85U);
  }
  r.max_weight = 84;
  const auto problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(2));
  EXPECT_EQ(problems[0].key, RequestKey::mtu);
  EXPECT_THAT(problems[0].message, HasSubstr("above the 84 that an entry can hold"));
}

TEST(WeightLimit, RefusesExactlyWhatCannotBeHadOnSmallTables) {
  int accepted = 0;
  int refused = 0;
  int close = 0;  // M lacks a fraction of a credit, which costs no more than the paper's method does
  for (std::uint32_t limit = 2; limit <= 24; ++limit) {
    for (const std::uint32_t d : {4U, 6U, 12U}) {
      for (std::uint32_t share = 30'000; share < 1'000'000; share += 70'000) {
        for (const std::uint32_t mtu : {1U, 2U}) {
          for (const bool fixed : {false, true}) {
            TableRequest r;
            r.entries = 12;
            r.gmtu = 2;
            r.levels = {{"a", 0, 2, share, 2}, {"b", 1, d, 1'000'000 - share, mtu}};
            r.max_weight = limit;
            if (fixed) r.w_tenths = 5 * limit + (limit % 2) * 4;  // M = limit
            std::vector<RequestProblem> problems;
            const auto plan = configure_table(r, problems);
            if (!plan && problems[0].key == RequestKey::w) continue;  // below k
            const std::uint64_t n1 = 12 / d;
            const bool can = exact(r, {6, n1}, limit);
            if (!plan) {
              ++refused;
              EXPECT_FALSE(can);
              continue;
            }
            ++accepted;
            if (can) continue;
            ++close;
            EXPECT_TRUE(exact(r, {6, n1}, limit + 1));
            EXPECT_NEAR(plan->optimal.largest_error, best_weight_error(r, 6, n1, plan->optimal.most), 1e-12);
            EXPECT_LE(plan->optimal.largest_error, plan->paper.largest_error);
          }
        }
      }
    }
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 200);
  EXPECT_GT(close, 5);
}

TEST(WeightLimit, NamesTheLevelWhoseNumbersMendIt) {
  TableRequest r;
  r.levels = {{"A", 0, 2, 999'999, 32}, {"B", 1, 64, 1, 32}};
  const auto problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].level, 1U);
  EXPECT_THAT(problems[0].message,
              AllOf(HasSubstr("'B': its share 0.000001 with 1 entry of at least 32 credits makes a round of 32000000"),
                    HasSubstr("an MTU of at most 2 credits for 'B'"), HasSubstr("a share of 0.000016 for 'B'"),
                    Not(HasSubstr("distance"))));
  TableRequest mended = r;
  mended.levels[1].mtu = 2;
  EXPECT_THAT(weight_problems(mended), IsEmpty());
  mended.levels[1].mtu = 3;
  EXPECT_THAT(weight_problems(mended), SizeIs(1));
  mended = r;
  mended.levels[0].share = 999'984;
  mended.levels[1].share = 16;
  EXPECT_THAT(weight_problems(mended), IsEmpty());
  mended.levels[0].share = 999'985;
  mended.levels[1].share = 15;
  EXPECT_THAT(weight_problems(mended), SizeIs(1));
}

TEST(WeightLimit, NamesAKThatIsGiven) {
  TableRequest r;
  r.levels = {{"A", 0, 2, 500'000, 32}, {"B", 1, 64, 500'000, 32}};
  r.k_tenths = 1'000'000;
  const auto problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].key, RequestKey::k);
  EXPECT_THAT(problems[0].message, AllOf(HasSubstr("k = 100000 makes a pool"), HasSubstr("k of at most 63.9 would do"),
                                         HasSubstr("(share 0.5, 1 entry)")));
  r.k_tenths = 639;
  EXPECT_THAT(weight_problems(r), IsEmpty());
  r.k_tenths = 641;  // at 64 B lacks one credit of 65536, and the weights come out exactly
  EXPECT_THAT(weight_problems(r), SizeIs(1));
}

// M = GMTU * w is less than one credit.
TEST(WeightLimit, EntriesOfNoCredits) {
  TableRequest r;
  r.entries = 4;
  r.gmtu = 1;
  r.levels = {{"A", 0, 4, 500'000, 1}, {"B", 1, 4, 500'000, 1}};
  r.k_tenths = 5;
  for (std::uint32_t w = 5; w <= 9; ++w) {
    r.w_tenths = w;
    const auto problems = weight_problems(r);
    ASSERT_THAT(problems, SizeIs(2)) << w;
    EXPECT_THAT(problems[0].message, HasSubstr("w of 1 or more would do"));
  }
  r.w_tenths = 10;
  EXPECT_THAT(weight_problems(r), IsEmpty());
}

// At a fixed k: where placing rounds the distance down, the one that is told is one that leaves few enough entries, and
// a k is told only if w and the entries allow it.
TEST(WeightLimit, AdviceAtAFixedKIsTried) {
  TableRequest r;
  r.entries = 32;
  r.gmtu = 10;
  r.levels = {{"Sa", 0, 2, 570'313, 10}, {"Sb", 1, 8, 161'573, 10}, {"Sc", 2, 4, 268'114, 10}};
  r.k_tenths = 9;
  auto problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].level, 2U);
  const std::string& message = problems[0].message;
  const std::string before = "at most 7 entries (distance ";
  ASSERT_THAT(message, AllOf(HasSubstr(before), HasSubstr("MTU of at most 9 credits")));
  TableRequest farther = r;
  farther.levels[2].distance =
      static_cast<std::uint32_t>(std::stoul(message.substr(message.find(before) + before.size())));
  EXPECT_THAT(weight_problems(farther), IsEmpty());
  r.entries = 3;
  r.levels = {{"A", 0, 3, 18'732, 9}, {"B", 1, 3, 981'268, 10}};
  r.k_tenths = 5;
  r.w_tenths = 28;
  problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0].message, Not(HasSubstr("k of"))) << "w would be below it";
}

TEST(WeightLimit, AdvisesMoreEntriesWhereThereIsRoom) {
  TableRequest r;
  r.entries = 16;
  r.gmtu = 8;
  r.max_weight = 20;
  r.levels = {{"A", 0, 16, 700'000, 8}, {"B", 1, 8, 300'000, 8}};  // a round of 54: A needs 38 in its one entry
  const auto problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].level, 0U);
  EXPECT_THAT(problems[0].message, AllOf(HasSubstr("at least 2 entries (distance 8) for 'A'"),
                                         HasSubstr("max_weight of 38 or more would do")));
  r.levels[0].distance = 8;
  EXPECT_THAT(weight_problems(r), IsEmpty());
}

// Distances 2 and 3 leave a third SL no place in any table, however few entries they need.
TEST(WeightLimit, DoesNotAdviseATableWithoutAPlace) {
  TableRequest r;
  r.entries = 7;
  r.levels = {{"A", 0, 2, 500'000, 1}, {"B", 1, 3, 300'000, 1}, {"C", 2, 100, 200'000, 1}};
  auto problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0].message, AllOf(HasSubstr("the table has 7"), Not(HasSubstr("a table of"))));
  r.levels[1].distance = r.levels[2].distance = 4;
  problems = weight_problems(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0].message, HasSubstr("a table of 8 entries would have enough"));
  r.entries = 8;
  EXPECT_THAT(weight_problems(r), IsEmpty());
}

}  // namespace
}  // namespace weft
