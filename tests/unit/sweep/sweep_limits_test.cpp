// Limits of the runs of a sweep, and the order in which they begin.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <sstream>

#include "base/resource_need.h"
#include "schema/yaml_tree.h"
#include "sweep/offered_work.h"
#include "sweep/outputs.h"
#include "sweep/prediction.h"
#include "sweep/shard.h"
#include "unit/sweep/sweep_support.h"

namespace weft {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

// Reports its limit of data and its niceness; x=2 needs more than 100 MiB.
constexpr const char* kLimited = R"(#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
data=$(ulimit -d)
case "$*" in *x=2*)
  [ "$data" = unlimited ] || [ "$data" -ge 102400 ] || { echo "error: not enough memory" >&2; exit 1; };;
esac
[ "$data" = unlimited ] && data=0
echo '{"figures": {"run": {"data": {"value": '$data', "unit": "1"}, "nice": {"value": '$(nice)', "unit": "1"}}},
  "tables": {}}'
)";

class SweepLimits : public test::Sweep {
 protected:
  SweepLimits() { folder_.write("program", kLimited); }
  void SetUp() override {
    if (!kLimitsData) GTEST_SKIP() << "sanitizers reserve address space that counts as data";
  }
  SweepConfig limited() const { return config("[1, 2]", "1", "{ data: sections.run.data, nice: sections.run.nice }"); }
  SweepWork work(std::uint64_t memory) {
    ResultStore store(database());
    return work_of(plan_sweep(limited()), store.known(), memory);
  }
  SweepOutcome run_limited(std::uint64_t memory, int nice = 0) {
    const SweepConfig c = limited();
    const SweepPlan plan = plan_sweep(c);
    ResultStore store(database());
    SweepOptions o = options();
    o.memory = memory;
    o.nice = nice;
    return run_sweep(c, plan, work_of(plan, store.known(), memory).runs, store, o);
  }
  double figure(const std::string& name) {
    const SweepConfig c = limited();
    const SweepPlan plan = plan_sweep(c);
    const SweepResults results = collect_results(c, plan, ResultStore(database()));
    for (std::size_t i = 0; i < results.columns.size(); ++i) {
      if (c.metrics[results.columns[i].metric].name == name) return results.runs.front().values[i].value_or(-1);
    }
    return -1;
  }
};

class SweepOrder : public SweepLimits {
  void SetUp() override {}  // needs no limits
};

TEST_F(SweepLimits, RunsHaveTheirLimitAndNiceness) {
  const int mine = getpriority(PRIO_PROCESS, 0);
  EXPECT_EQ(run_limited(200 * kMebibyte, 3).failures.size(), 0U);
  EXPECT_EQ(figure("data"), 200 * 1024) << "in KiB";
  EXPECT_EQ(figure("nice"), std::min(19, mine + 3));
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), mine) << "of the runs only";
}

TEST_F(SweepLimits, ARunThatNeedsMoreFailsAndIsTriedAgainWithMore) {
  const SweepOutcome first = run_limited(64 * kMebibyte);
  EXPECT_EQ(first.ran, 4U) << "the others go on";
  ASSERT_THAT(first.failures, SizeIs(2));
  EXPECT_EQ(first.failures[0].message, "needs more than the 64 MiB of memory that a run may use (--memory)");
  for (const std::uint64_t same : {64 * kMebibyte, 32 * kMebibyte}) {
    EXPECT_THAT(work(same).runs, IsEmpty());
    EXPECT_THAT(work(same).too_large, SizeIs(2));
  }
  EXPECT_THAT(work(0).runs, SizeIs(2)) << "no limit is a higher one";
  EXPECT_THAT(work(65 * kMebibyte).runs, SizeIs(2));
  EXPECT_THAT(work(65 * kMebibyte).too_large, IsEmpty());
  EXPECT_EQ(run_limited(65 * kMebibyte).ran, 2U) << "which is still too little";
  EXPECT_THAT(work(64 * kMebibyte).too_large, SizeIs(2));
  EXPECT_THAT(work(65 * kMebibyte).too_large, SizeIs(2));
  EXPECT_EQ(run_limited(100 * kMebibyte).failures.size(), 0U);
  EXPECT_EQ(work(16 * kMebibyte).stored, 4U) << "a result is one, whatever the limit";
}

TEST_F(SweepLimits, OtherFailuresAreTriedAgainWithTheSameLimit) {
  folder_.write("program", "#!/bin/sh\necho 'error: lost a message' >&2\nexit 1\n");
  const SweepOutcome outcome = run_limited(64 * kMebibyte);
  ASSERT_THAT(outcome.failures, SizeIs(4));
  EXPECT_EQ(outcome.failures[0].message, "lost a message");
  EXPECT_THAT(work(64 * kMebibyte).runs, SizeIs(4));
}

TEST_F(SweepLimits, StoresWithoutTheTableOfLimitsAreMerged) {
  run_limited(64 * kMebibyte);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(database().c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "DROP TABLE limits", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
  const SweepConfig c = limited();
  ResultStore into(folder_.path("out/into.sqlite"));
  EXPECT_EQ(merge_stores(c, plan_sweep(c), {database()}, into).added, 4U);
  EXPECT_THAT(work(64 * kMebibyte).runs, SizeIs(2)) << "why they failed is not known";
}

TEST_F(SweepLimits, MergedStoresKeepTheLimit) {
  run_limited(64 * kMebibyte);
  const SweepConfig c = limited();
  ResultStore into(folder_.path("out/into.sqlite"));
  merge_stores(c, plan_sweep(c), {database()}, into);
  EXPECT_THAT(work_of(plan_sweep(c), into.known(), 64 * kMebibyte).too_large, SizeIs(2));
}

TEST(OfferedWork, IsNodesTimesLoadTimesTime) {
  const auto of = [](const std::string& text) { return offered_work(parse_yaml(text, "c.yaml")); };
  const std::string mesh = "topology: { kind: mesh, dims: [4, 4] }\n";
  const std::string run = "run: { warm_up: 10us, measure: 90us }\n";
  const double one = of(mesh + run + "traffic: [ { level: a, load: 0.1 } ]\n");
  EXPECT_NEAR(of("topology: { kind: mesh, dims: [8, 8] }\n" + run + "traffic: [ { load: 0.1 } ]\n") / one, 4, 1e-9);
  EXPECT_NEAR(of(mesh + run + "traffic: [ { load: 0.1 }, { load: 0.2 } ]\n") / one, 3, 1e-9);
  EXPECT_NEAR(of(mesh + "run: { warm_up: 0.1ms, measure: 0.1ms }\ntraffic: [ { load: 0.1 } ]\n") / one, 2, 1e-9);
  const double slow = of(mesh + "sources: { interval: 40us, message: 1kB }\n");
  EXPECT_NEAR(of(mesh + "sources: { interval: 10us, message: 2kB }\n") / slow, 8, 1e-9);
  EXPECT_NEAR(of("topology: { kind: tree, arity: 4, levels: 3 }\n") / of("topology: { arity: 4, levels: 2 }\n"), 4,
              1e-9);
  EXPECT_EQ(of("other: 1\n"), 1) << "nothing is known";
}

TEST_F(SweepOrder, TheLongestBeginFirst) {
  folder_.write("net.yaml", "topology: { dims: [2, 2] }\ntraffic: [ { load: 0.1 } ]\n");
  const SweepConfig c = parse_sweep(
      "sweep: net.yaml\naxes: [ { key: traffic.0.load, values: [0.2, 0.8, 0.4] }, { key: x, values: [1, 3] } ]\n"
      "seeds: 2\nmetrics: { data: sections.run.data }\n",
      "s.yaml", folder_.path(), {}, false);
  const SweepPlan plan = plan_sweep(c);
  ASSERT_THAT(plan.runs, SizeIs(12));
  const std::vector<std::size_t> all = work_of(plan, {}).runs;
  EXPECT_THAT(runs_by_length(plan, all, {}), ElementsAre(4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3));
  // Point 0 (load 0.2) took 30 s a run and point 4 (load 0.4) 10 s: 40 s for 0.6, so load 0.8 takes 53 s.
  const std::vector<ResultStore::Known> known{{"i", plan.points[0].name, 1, true, 30, 0},
                                              {"j", plan.points[4].name, 1, true, 10, 0},
                                              {"k", plan.points[2].name, 1, false, 1, 0}};
  EXPECT_THAT(runs_by_length(plan, all, known), ElementsAre(4, 5, 6, 7, 0, 1, 10, 11, 2, 3, 8, 9))
      << "measured ones by their time, others by their work; a failed run says nothing";
  ResultStore store(database());
  run_sweep(c, plan, all, store, options(1));
  std::istringstream calls(test::slurp(folder_.path("calls")));
  std::vector<std::string> loads;
  for (std::string line; std::getline(calls, line);) {
    loads.push_back(line.substr(line.find("load=") + 5, 3));
  }
  EXPECT_THAT(loads, ElementsAre("0.8", "0.8", "0.8", "0.8", "0.4", "0.4", "0.4", "0.4", "0.2", "0.2", "0.2", "0.2"));
}

// Ten loads of two seeds, dealt to four parts: five runs each, and nearly the same work.
TEST_F(SweepOrder, PartsHaveTheSameNumberOfRunsAndNearlyTheSameWork) {
  folder_.write("net.yaml", "topology: { dims: [2, 2] }\ntraffic: [ { load: 0.1 } ]\n");
  const SweepConfig c = parse_sweep(
      "sweep: net.yaml\naxes: [ { key: traffic.0.load, values: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] } ]\n"
      "seeds: 2\nmetrics: { data: sections.run.data }\n",
      "s.yaml", folder_.path(), {}, false);
  const SweepPlan plan = plan_sweep(c);
  std::set<std::string> all;
  for (std::size_t i = 1; i <= 4; ++i) {
    const SweepPlan part = shard_plan(c, plan, {i, 4});
    EXPECT_THAT(part.runs, SizeIs(5));
    double loads = 0;
    for (const PlannedRun& r : part.runs) {
      EXPECT_TRUE(all.insert(r.identity).second) << "in one part only";
      loads += 0.1 * static_cast<double>(r.point + 1);
    }
    EXPECT_NEAR(loads, 11.0 / 4, 0.3) << "a quarter of all loads";
  }
  EXPECT_THAT(all, SizeIs(20));
}

}  // namespace
}  // namespace weft
