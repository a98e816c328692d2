// The configurator as a whole: Table 4 of the paper, k and w against a step-by-step search, and what is said about
// requests that cannot be met.

#include "algorithms/qos/table_configurator.h"
#include "support/places.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

namespace weft {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

nlohmann::json published() {
  std::ifstream file(test::source_dir() + "/tests/data/published_table4.json");
  return nlohmann::json::parse(file);
}

TableRequest table4() {
  TableRequest r;
  const auto paper = published();
  r.entries = paper["entries"];
  r.gmtu = paper["gmtu_flits"];
  for (const auto& l : paper["service_levels"]) {
    r.levels.push_back({l["name"], static_cast<ServiceLevel>(r.levels.size()), l["distance"],
                        static_cast<std::uint64_t>(l["share"].get<double>() * 1e6 + 0.5),
                        l["mtu_bytes"].get<std::uint32_t>() / 64});
  }
  return r;
}

TablePlan plan_of(const TableRequest& request) {
  std::vector<RequestProblem> problems;
  auto plan = configure_table(request, problems);
  EXPECT_THAT(problems, IsEmpty());
  return plan.value();
}

std::vector<RequestProblem> problems_of(const TableRequest& request) {
  std::vector<RequestProblem> problems;
  EXPECT_FALSE(configure_table(request, problems).has_value());
  return problems;
}

TEST(TableConfigurator, ReproducesTheWeightsOfTable4) {
  const TablePlan plan = plan_of(table4());
  const auto paper = published();
  for (std::size_t i = 0; i < plan.positions.size(); ++i) {
    const auto& expected = paper["service_levels"][i];
    std::vector<std::uint32_t> weights;
    for (const std::uint32_t p : plan.positions[i]) {
      EXPECT_EQ(plan.paper.table[p].sl, i);
      weights.push_back(plan.paper.table[p].weight);
    }
    EXPECT_EQ(weights.size(), expected["entries"]) << expected["name"];
    EXPECT_EQ(*std::min_element(weights.begin(), weights.end()), expected["least_weight"]) << expected["name"];
    EXPECT_EQ(*std::max_element(weights.begin(), weights.end()), expected["largest_weight"]) << expected["name"];
    EXPECT_EQ(plan.paper.weights.totals[i], expected["total_weight"]) << expected["name"];
  }
  EXPECT_EQ(plan.paper.weights.total, paper["total_weight"]);
  EXPECT_EQ(plan.pool_tenths, 10'240U);
}

TEST(TableConfigurator, FindsTheDecouplingParametersOfTable4) {
  const TablePlan plan = plan_of(table4());
  EXPECT_EQ(plan.decoupling.k_tenths, published()["k_tenths"]);
  EXPECT_EQ(plan.decoupling.w_tenths, 28U);
  EXPECT_EQ(plan.optimal.most, 89U);  // 32 * 2.8
  // Entries of 94 are more than 32 * 2.9 = 92.8.
  EXPECT_EQ(plan.paper.w_tenths, published()["w_tenths"]);
  EXPECT_EQ(plan.paper.most, 96U);
}

TEST(TableConfigurator, ComputesTheBoundsOfTable4) {
  const TablePlan plan = plan_of(table4());
  const std::vector<double> least{0.09375, 0.03125, 0.25, 0.125, 0.03125, 0.015625, 0.015625};
  const std::vector<double> most{3.0, 1.5, 0.75, 0.375, 0.1875, 0.09375, 0.09375};
  const auto paper = published();
  std::vector<std::string> differ;
  for (std::size_t i = 0; i < least.size(); ++i) {
    EXPECT_DOUBLE_EQ(plan.min_shares[i], least[i]);
    EXPECT_DOUBLE_EQ(plan.paper.max_shares[i], most[i]);
    const auto& printed = paper["service_levels"][i];
    const std::string name = printed["name"];
    if (std::abs(printed["min_share"].get<double>() - least[i]) > 0.00051) differ.push_back(name + " min_share");
    if (std::abs(printed["max_share"].get<double>() - most[i]) > 0.00051) differ.push_back(name + " max_share");
  }
  // The paper rounds to three figures. Three printed values belong to other MTUs or counts than the ones the table
  // gives.
  EXPECT_EQ(nlohmann::json(differ), paper["does_not_follow_from_its_own_mtu_and_entries"]);
}

TEST(TableConfigurator, OptimalWeightsComeCloserThanThePublishedOnes) {
  const TablePlan plan = plan_of(table4());
  EXPECT_LT(plan.optimal.largest_error, plan.paper.largest_error);
  EXPECT_LT(plan.optimal.weights.total, plan.paper.weights.total);
  TableRequest fixed = table4();
  fixed.k_tenths = 5;
  fixed.w_tenths = 30;
  const TablePlan same_limits = plan_of(fixed);
  EXPECT_EQ(same_limits.optimal.most, 96U);
  EXPECT_LT(same_limits.optimal.largest_error, 0.0002);
  EXPECT_THAT(same_limits.paper.weights.totals, ElementsAre(101, 176, 322, 375, 43, 39, 17));
}

TEST(TableConfigurator, BoundsTheWaitByWhatLiesBetweenEntries) {
  const TablePlan plan = plan_of(table4());
  EXPECT_EQ(plan.paper.waits[0], 94U + 31U);                 // NC: an entry of CL and its deficit
  EXPECT_EQ(plan.paper.waits[1], 94U + 31U + 3U + 4U + 2U);  // VO: also two entries of NC and its deficit
  for (std::size_t i = 1; i < plan.paper.waits.size(); ++i) {
    EXPECT_GT(plan.paper.waits[i], plan.paper.waits[i - 1]) << "waits follow the order of the distances";
  }
}

TEST(TableConfigurator, SearchesLikeOneStepAfterTheOther) {
  int tried = 0;
  ASSERT_TRUE(rc::check([&] {
    TableRequest r;
    r.entries = 1U << *rc::gen::inRange(3, 8);
    r.gmtu = *rc::gen::inRange<std::uint32_t>(1, 65);
    std::vector<std::uint32_t> counts;
    std::uint64_t left = 1'000'000;
    for (int i = *rc::gen::inRange(1, 7); i > 0; --i) {
      const auto share = i == 1 ? left : *rc::gen::inRange<std::uint64_t>(1'000, 150'000);
      left -= share;
      r.levels.push_back({"a", 0, 1, share, *rc::gen::inRange<std::uint32_t>(1, r.gmtu + 1)});
      counts.push_back(*rc::gen::inRange<std::uint32_t>(1, r.entries + 1));
    }
    std::uint64_t k = 1;
    const auto all = [&](const auto& holds) {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (!holds(r.levels[i], std::uint64_t{counts[i]})) return false;
      }
      return true;
    };
    while (!all([&](const LevelRequest& l, std::uint64_t n) {
      return n * l.mtu * 10 * 1'000'000 <= l.share * r.entries * r.gmtu * k;
    })) {
      ++k;
    }
    std::uint64_t w = k;
    while (!all([&](const LevelRequest& l, std::uint64_t n) { return l.share * r.entries * k <= n * w * 1'000'000; })) {
      ++w;
    }
    std::vector<RequestProblem> problems;
    const Decoupling found = find_decoupling(r, counts, problems);
    RC_ASSERT(found.k_tenths == k);
    RC_ASSERT(found.w_tenths == w);
    ++tried;
  }));
  EXPECT_EQ(tried, 100);
}

// The smallest largest share error of all tables whose entries weigh from their SL's MTU to `most`, by trying them.
double best_error(const TableRequest& r, const TablePlan& plan, std::uint64_t most, std::size_t level = 0,
                  std::vector<std::uint64_t> totals = {}) {
  if (level == r.levels.size()) {
    const double all = static_cast<double>(std::accumulate(totals.begin(), totals.end(), std::uint64_t{0}));
    double worst = 0;
    for (std::size_t i = 0; i < totals.size(); ++i) {
      worst = std::max(worst, std::abs(static_cast<double>(totals[i]) / all - plan.wanted[i]));
    }
    return worst;
  }
  double best = 1;
  const std::uint64_t n = plan.positions[level].size();
  for (std::uint64_t t = n * r.levels[level].mtu; t <= n * most; ++t) {
    totals.push_back(t);
    best = std::min(best, best_error(r, plan, most, level + 1, totals));
    totals.pop_back();
  }
  return best;
}

// Where credits are coarse, GMTU * w may be cut to an M at which no table comes as close as the paper's.
TEST(TableConfigurator, OptimalIsNeverWorseThanThePaperOnSmallRequests) {
  int planned = 0;
  int raised = 0;
  for (std::uint32_t entries : {4U, 6U, 8U}) {
    for (std::uint32_t gmtu = 1; gmtu <= 3; ++gmtu) {
      for (std::uint32_t a = 1; a <= 8; ++a) {
        for (std::uint32_t b = 1; a + b <= 9; ++b) {
          TableRequest r;
          r.entries = entries;
          r.gmtu = gmtu;
          r.levels = {{"a", 0, 2 + a % 3, a * 100'000, gmtu},
                      {"b", 1, 3 + b % 3, b * 100'000, 1},
                      {"c", 2, entries, (10 - a - b) * 100'000, gmtu}};
          std::vector<RequestProblem> problems;
          const auto plan = configure_table(r, problems);
          if (!plan || plan->paper_problem || plan->optimal.most > 12) continue;
          ++planned;
          const std::string what = fmt::format("{} {} {} {}", entries, gmtu, a, b);
          EXPECT_NEAR(plan->optimal.largest_error, best_error(r, *plan, plan->optimal.most), 1e-12) << what;
          EXPECT_LE(plan->optimal.largest_error, plan->paper.largest_error + 1e-12) << what;
          EXPECT_EQ(plan->optimal.w_tenths, plan->decoupling.w_tenths) << what;
          if (plan->optimal.w_tenths < plan->paper.w_tenths) continue;
          const std::vector<std::uint32_t> counts{static_cast<std::uint32_t>(plan->positions[0].size()),
                                                  static_cast<std::uint32_t>(plan->positions[1].size()),
                                                  static_cast<std::uint32_t>(plan->positions[2].size())};
          const Decoupling least = find_decoupling(r, counts, problems);
          if (least.w_tenths == plan->optimal.w_tenths) continue;
          ++raised;  // only where it has to be
          EXPECT_GT(best_error(r, *plan, largest_weight(r, least.w_tenths)), plan->paper.largest_error) << what;
        }
      }
    }
  }
  EXPECT_GT(planned, 100);
  EXPECT_GT(raised, 5);
}

TEST(TableConfigurator, MeetsWhatItPromisesOnRandomRequests) {
  int planned = 0;
  ASSERT_TRUE(rc::check([&] {
    TableRequest r;
    r.gmtu = 32;
    std::uint64_t left = 1'000'000;
    const int levels = *rc::gen::inRange(2, 8);
    for (int i = 0; i < levels; ++i) {
      const auto share = i + 1 == levels ? left : *rc::gen::inRange<std::uint64_t>(10'000, 140'000);
      left -= share;
      r.levels.push_back({fmt::format("s{}", i), static_cast<ServiceLevel>(i), *rc::gen::inRange<std::uint32_t>(4, 64),
                          share, *rc::gen::inRange<std::uint32_t>(1, 33)});
    }
    std::vector<RequestProblem> problems;
    const auto plan = configure_table(r, problems);
    RC_ASSERT(plan.has_value() == problems.empty());
    if (!plan) return;
    ++planned;
    RC_ASSERT(plan->optimal.largest_error <= plan->paper.largest_error + 1e-12);
    for (const WeightPlan* weights : {&plan->optimal, &plan->paper}) {
      std::vector<std::uint64_t> totals(r.levels.size(), 0);
      std::uint64_t total = 0;
      for (const TableEntry& e : weights->table) {
        if (e.weight == 0) continue;
        RC_ASSERT(e.weight >= r.levels[e.sl].mtu);
        RC_ASSERT(e.weight <= weights->most);
        totals[e.sl] += e.weight;
        total += e.weight;
      }
      RC_ASSERT(totals == weights->weights.totals);
      for (std::size_t i = 0; i < totals.size(); ++i) {
        const double got = static_cast<double>(totals[i]) / static_cast<double>(total);
        RC_ASSERT(std::abs(got - plan->wanted[i] - weights->errors[i]) < 1e-12);
        RC_ASSERT(std::abs(weights->errors[i]) <= weights->largest_error);
      }
    }
  }));
  EXPECT_GT(planned, 20);
}

TEST(TableConfigurator, ScalesSharesThatLeaveSomethingOver) {
  TableRequest r = table4();
  const TablePlan whole = plan_of(r);
  for (LevelRequest& l : r.levels) l.share /= 2;
  EXPECT_EQ(plan_of(r).optimal.table, whole.optimal.table);
}

// What cannot be, and what is said about it.

TEST(TableConfiguratorProblems, SharesAboveOne) {
  TableRequest r = table4();
  r.levels[6].share = 36'000;
  const auto problems = problems_of(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].key, RequestKey::share);
  EXPECT_EQ(problems[0].level, 6U);
  EXPECT_THAT(problems[0].message,
              AllOf(HasSubstr("add up to 1.02"), HasSubstr("0.016 is left"), HasSubstr("0.02 in all")));
}

TEST(TableConfiguratorProblems, DistancesThatNeedMoreEntriesThanThereAre) {
  TableRequest r = table4();
  r.levels[1].distance = 2;
  const auto problems = problems_of(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].key, RequestKey::entries);
  EXPECT_THAT(problems[0].message, AllOf(HasSubstr("need 80 entries"), HasSubstr("'NC' 32"), HasSubstr("has 64")));
  // The advice is good.
  EXPECT_THAT(problems[0].message, HasSubstr("a distance of 4 for 'NC'"));
  r.levels[0].distance = 4;
  plan_of(r);
}

// 63 entries are enough with a distance of 3 for NC, but those of VO find no place among them.
TEST(TableConfiguratorProblems, AdviceIsTriedBeforeItIsGiven) {
  TableRequest r = table4();
  r.entries = 63;
  const auto problems = problems_of(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0].message, HasSubstr("; a distance of 3 for 'NC' would leave enough; a table of 64 entries"));
  TableRequest farther = r;
  farther.levels[0].distance = 3;
  plan_of(farther);
  r.entries = 64;
  plan_of(r);
  // Two entries are left for the first, but where the others are 2 and 3 apart there is no place for anything.
  r.entries = 12;
  r.levels.resize(3);
  for (std::uint32_t i = 0; i < 3; ++i) r.levels[i].distance = i + 1;
  const auto none = problems_of(r);
  ASSERT_THAT(none, SizeIs(1));
  EXPECT_THAT(none[0].message,
              AllOf(Not(HasSubstr("would")), HasSubstr("; larger distances or fewer service levels are needed")));
}

TEST(TableConfiguratorProblems, SeveralAtOnce) {
  TableRequest r = table4();
  r.levels[1].distance = 2;
  r.levels[2].mtu = 33;
  r.levels[3].mtu = 64;
  r.levels[4].share = 400'000;
  EXPECT_THAT(problems_of(r), SizeIs(4));
}

TEST(TableConfiguratorProblems, FixedKTooSmall) {
  TableRequest r = table4();
  r.k_tenths = 4;
  const auto problems = problems_of(r);
  ASSERT_THAT(problems, SizeIs(3));  // NC, VI and BK need 0.5
  EXPECT_EQ(problems[0].level, 0U);
  EXPECT_EQ(problems[1].level, 2U);
  EXPECT_EQ(problems[2].level, 6U);
  EXPECT_THAT(problems[1].message,
              AllOf(HasSubstr("'VI'"), HasSubstr("min_phi"), HasSubstr("0.312500"), HasSubstr("k of 0.5 or more"),
                    HasSubstr("MTU of at most 30 credits"), HasSubstr("at most 7 entries")));
  r.levels[0].mtu = 2;
  r.levels[2].mtu = 30;
  r.levels[6].mtu = 13;
  plan_of(r);
}

TEST(TableConfiguratorProblems, FixedWTooSmall) {
  TableRequest r = table4();
  r.w_tenths = 27;
  const auto problems = problems_of(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].level, 3U);
  EXPECT_THAT(problems[0].message, AllOf(HasSubstr("'CL'"), HasSubstr("= 0.335938 with M = 86 credits"),
                                         HasSubstr("w of 2.8 or more would do")));
  r.w_tenths = 28;
  EXPECT_TRUE(plan_of(r).paper_problem.has_value()) << "the paper's method needs entries of 94 > 32 * 2.8";
  r.w_tenths = 30;
  EXPECT_FALSE(plan_of(r).paper_problem.has_value());
}

TEST(TableConfiguratorProblems, WBelowK) {
  TableRequest r = table4();
  r.k_tenths = 30;
  r.w_tenths = 29;
  const auto problems = problems_of(r);
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].key, RequestKey::w);
  EXPECT_THAT(problems[0].message, HasSubstr("expected w >= k"));
}

TEST(TableConfiguratorProblems, WeightAboveWhatAnEntryHolds) {
  TableRequest r = table4();
  r.max_weight = 88;
  auto problems = problems_of(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].level, 0U);
  // 96 / 0.094 credits in a round, 0.35 of it in 4 entries: 89.4. No smaller distance helps, as the table is full.
  EXPECT_THAT(problems[0].message,
              AllOf(HasSubstr("'NC'"), HasSubstr("a round of 1022 credits"), HasSubstr("'CL' (share 0.35, 4 entries)"),
                    HasSubstr("entries of 90 credits"), HasSubstr("can hold 88"), HasSubstr("at most 2 credits")));
  r.max_weight = 89;  // the optimal method gets by with it, the paper's needs 94
  EXPECT_TRUE(plan_of(r).paper_problem.has_value());
  r.w_tenths = 30;
  problems = problems_of(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].key, RequestKey::w);
  EXPECT_THAT(problems[0].message, HasSubstr("w of at most 2.8"));
}

TEST(TableConfiguratorProblems, PlacesThatDoNotExist) {
  TableRequest r;
  r.levels = {{"a", 0, 3, 300'000, 1}, {"b", 1, 4, 300'000, 1}, {"c", 2, 5, 200'000, 1}, {"d", 3, 6, 200'000, 1}};
  const auto problems = problems_of(r);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].key, RequestKey::distance);
  EXPECT_THAT(problems[0].message, HasSubstr("there is no way to place its entries at most"));
}

}  // namespace
}  // namespace weft
