// Planning, storing and executing sweeps; a small script stands for the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "observe/report.h"
#include "sweep/outputs.h"
#include "unit/schema/config_support.h"
#include "unit/sweep/sweep_support.h"

namespace weft {
namespace {

using test::slurp;
using test::Sweep;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Product, CountsLikeAnOdometer) {
  EXPECT_THAT(product({2, 3}), ElementsAre(ElementsAre(0U, 0U), ElementsAre(0U, 1U), ElementsAre(0U, 2U),
                                           ElementsAre(1U, 0U), ElementsAre(1U, 1U), ElementsAre(1U, 2U)));
  EXPECT_THAT(product({2, 0}), IsEmpty());
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& raw) {
    std::vector<std::size_t> sizes;
    for (const auto r : raw) sizes.push_back(1 + r % 4);
    sizes.resize(std::min<std::size_t>(sizes.size(), 5));
    std::size_t count = 1;
    for (const auto s : sizes) count *= s;
    const auto all = product(sizes);
    RC_ASSERT(all.size() == count);
    RC_ASSERT(std::is_sorted(all.begin(), all.end()));
    RC_ASSERT(std::adjacent_find(all.begin(), all.end()) == all.end());
  }));
}

TEST_F(Sweep, PointsAreNamedAndSet) {
  const SweepPlan plan = plan_sweep(config("[1, 2]", "[4, 9]", "{ t: sections.run.twice }", "set: { w: 0, z: 7 }\n"));
  ASSERT_EQ(plan.points.size(), 4U);
  ASSERT_EQ(plan.runs.size(), 8U);
  EXPECT_EQ(plan.points[2].name, "x=2, y=a");
  EXPECT_THAT(point_arguments(config(), plan.points[2], 9),
              ElementsAre(folder_.path("net.yaml"), "--set", "w=0", "--set", "z=7", "--set", "x=2", "--set", "y=a",
                          "--seed", "9"))
      << "axes come after set";
  EXPECT_EQ(plan.runs[5].seed, 9U);
  EXPECT_EQ(plan.runs[5].point, 2U);
}

// A list and a key of one of its elements: the same runs, whichever axis comes first.
TEST_F(Sweep, AListIsSetBeforeTheKeysInIt) {
  const std::string list = "{ name: list, points: [ { label: l, set: { l: [ { u: 1 }, { u: 2 } ] } } ] }";
  const std::string inside = "{ key: l.1.v, values: [3, 4] }";
  const auto of = [&](const std::string& axes) {
    return parse_sweep("sweep: net.yaml\naxes: [ " + axes + " ]\nmetrics: { m: sections.a.b }\n", "s.yaml",
                       folder_.path(), {}, false);
  };
  const SweepConfig straight = of(list + ", " + inside), turned = of(inside + ", " + list);
  EXPECT_EQ(identities(straight), identities(turned));
  EXPECT_THAT(point_arguments(turned, plan_sweep(turned).points[1], 1),
              ElementsAre(folder_.path("net.yaml"), "--set", "l=[{u: 1}, {u: 2}]", "--set", "l.1.v=4", "--seed", "1"));
}

TEST_F(Sweep, IdentityIsWhatTheResultDependsOn) {
  const auto before = identities(config());
  EXPECT_THAT(before, SizeIs(12));
  EXPECT_EQ(identities(config()), before);
  EXPECT_EQ(identities(config("[1, 2]", "3", "{ other: sections.run.name }")), before) << "not on the metrics";
  folder_.write("net.yaml", "# a comment\nfabric:   tdm\nseed: 6\nfile: 'list.txt'\n");
  EXPECT_EQ(identities(config()), before) << "nor on comments, blanks, and the seed that is overridden";

  const auto changes = [&] {
    const auto now = identities(config());
    std::size_t kept = 0;
    for (const auto& i : now) kept += before.count(i);
    return kept == 0;
  };
  folder_.write("list.txt", "1 2 4\n");
  EXPECT_TRUE(changes()) << "a file that a value names";
  folder_.write("list.txt", "1 2 3\n");
  EXPECT_EQ(identities(config()), before);
  folder_.write("net.yaml", "fabric: tdm\nfile: list.txt\nz: 1\n");
  EXPECT_TRUE(changes()) << "a key of the configuration";
  folder_.write("base.yaml", "fabric: tdm\nfile: list.txt\n");
  folder_.write("net.yaml", "base: base.yaml\n");
  EXPECT_EQ(identities(config()), before) << "the same configuration in two files";
  folder_.write("base.yaml", "fabric: tdm\nfile: list.txt\nz: 1\n");
  EXPECT_TRUE(changes()) << "a key of a base";
}

TEST_F(Sweep, RunsEverythingOnceAndThenNothing) {
  EXPECT_EQ(run(config()).ran, 12U);
  EXPECT_EQ(calls(), 12U);
  EXPECT_EQ(run(config()).ran, 0U);
  EXPECT_EQ(run(config("[1, 2, 3]")).ran, 6U) << "only the new points";
  EXPECT_EQ(run(config("[1, 2, 3]", "4")).ran, 6U) << "only the new seed";
  EXPECT_EQ(calls(), 24U);
}

TEST_F(Sweep, AChangedConfigurationIsNoticedAndReplaced) {
  run(config());
  folder_.write("net.yaml", "fabric: tdm\nfile: list.txt\nz: 1\n");
  const SweepPlan plan = plan_sweep(config("[1]"));
  {
    ResultStore store(database());
    const SweepWork work = work_of(plan, store.known());
    EXPECT_EQ(work.changed, 6U);
    EXPECT_EQ(work.stored, 0U);
    EXPECT_EQ(work.other, 6U) << "x=2";
    EXPECT_THAT(work.runs, SizeIs(6));
  }
  EXPECT_EQ(run(config("[1]")).ran, 6U);
  ResultStore store(database());
  EXPECT_THAT(store.known(), SizeIs(12)) << "old results of the same points are gone";
  EXPECT_EQ(work_of(plan, store.known()).stored, 6U);
}

TEST_F(Sweep, AFailedRunIsRecordedAndTriedAgain) {
  const SweepConfig c = config("[1]", "[12, 13, 14]");
  const SweepOutcome outcome = run(c);
  EXPECT_EQ(outcome.ran, 6U);
  ASSERT_THAT(outcome.failures, SizeIs(2));
  EXPECT_EQ(outcome.failures[0].point, "x=1, y=a");
  EXPECT_EQ(outcome.failures[0].seed, 13U);
  EXPECT_EQ(outcome.failures[0].message, "lost a message");
  const SweepPlan plan = plan_sweep(c);
  {
    ResultStore store(database());
    EXPECT_EQ(store.get(plan.runs[1].identity)->message, "lost a message");
    EXPECT_EQ(work_of(plan, store.known()).failed_before, 2U);
    const SweepResults results = collect_results(c, plan, store);
    EXPECT_EQ(table_csv(results_table(c, plan, results)),
              "x,y,seed,status,message,twice (ns),notes\n1,a,12,done,,24,\n1,a,13,failed,lost a message,,\n"
              "1,a,14,done,,28,\n1,b,12,done,,24,\n1,b,13,failed,lost a message,,\n1,b,14,done,,28,\n");
    EXPECT_THAT(table_csv(summary_table(c, plan, results)), HasSubstr("1,a,2,26,2.82842712474619"));
  }
  EXPECT_EQ(run(c).ran, 2U);
}

TEST_F(Sweep, ResultsDoNotDependOnTheNumberOfJobs) {
  std::string first;
  for (const std::size_t jobs : {1, 2, 5}) {
    std::filesystem::remove(database());
    const SweepConfig c = config("[3, 1, 2]", "4");
    run(c, jobs);
    const SweepPlan plan = plan_sweep(c);
    ResultStore store(database());
    const SweepResults results = collect_results(c, plan, store);
    const std::string csv = table_csv(results_table(c, plan, results)) + table_csv(summary_table(c, plan, results));
    if (first.empty()) first = csv;
    EXPECT_EQ(csv, first);
  }
}

TEST_F(Sweep, EqualPointsRunOnce) {
  const SweepConfig c = parse_sweep(
      "sweep: net.yaml\naxes: [ { name: a, points: [ { label: p, set: { x: 1 } }, { label: q, "
      "set: { x: 1 } } ] } ]\nmetrics: { twice: sections.run.twice }\n",
      "s.yaml", folder_.path(), {}, false);
  EXPECT_EQ(run(c).ran, 1U);
  EXPECT_EQ(run(c).ran, 0U);
  const SweepPlan plan = plan_sweep(c);
  ResultStore store(database());
  EXPECT_EQ(table_csv(results_table(c, plan, collect_results(c, plan, store))),
            "a,seed,status,message,twice (ns),notes\np,1,done,,2,\nq,1,done,,2,\n");
}

TEST_F(Sweep, AnInterruptKeepsWhatIsFinished) {
  const SweepConfig c = config("[1, 2, 3]");
  const SweepPlan plan = plan_sweep(c);
  ResultStore store(database());
  SweepOptions o = options(1);
  std::size_t done = 0;
  o.progress = [&](std::size_t n, std::size_t) { done = n; };
  o.interrupted = [&] { return done >= 4; };
  const SweepOutcome outcome = run_sweep(c, plan, work_of(plan, store.known()).runs, store, o);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.ran, 4U);
  EXPECT_EQ(work_of(plan, store.known()).stored, 4U);
  o.interrupted = [] { return false; };
  EXPECT_EQ(run_sweep(c, plan, work_of(plan, store.known()).runs, store, o).ran, 14U);
}

TEST_F(Sweep, ADamagedDatabaseSaysWhatToDo) {
  for (const bool garbage : {true, false}) {
    if (garbage) {
      folder_.write("out/results.sqlite", std::string(5000, 'x'));
    } else {
      std::filesystem::remove(database());
      run(config());
      std::filesystem::resize_file(database(), std::filesystem::file_size(database()) / 2);
    }
    try {
      run(config());
      ADD_FAILURE();
    } catch (const InputError& e) {
      EXPECT_THAT(e.list()[0].text(),
                  testing::AllOf(HasSubstr("cannot be read: "), HasSubstr("move it away to begin anew")));
    }
  }
}

TEST_F(Sweep, PointsAreCheckedAndErrorsPlaced) {
  const SweepConfig c = config("[1, bad]");
  const SweepPlan plan = plan_sweep(c);
  std::vector<std::string> errors;
  try {
    check_points(c, plan, {0, 1, 2, 3}, options());
  } catch (const InputError& e) {
    errors = test::texts(e.list());
  }
  ASSERT_THAT(errors, SizeIs(2));
  const auto at = [&](const std::string& text) {
    return std::any_of(errors.begin(), errors.end(), [&](const auto& e) { return e.starts_with(text); });
  };
  EXPECT_TRUE(at("s.yaml:2:31: error: x is bad (at x=bad, y=")) << testing::PrintToString(errors);
  EXPECT_TRUE(at("net.yaml:4:2: error: no room (at x=bad, y=")) << testing::PrintToString(errors);
  EXPECT_THAT(errors[0], HasSubstr("and 1 other point)"));
  EXPECT_EQ(calls(), 4U);
  EXPECT_TRUE(check_points(c, plan, {0, 1}, options()).has_value());
}

TEST_F(Sweep, WarningsOfPointsAreToldOnceAndPlaced) {
  const SweepConfig c = config("[1, odd]");
  const auto warnings = check_points(c, plan_sweep(c), {0, 1, 2, 3}, options());
  ASSERT_TRUE(warnings.has_value());
  EXPECT_THAT(
      test::texts(*warnings),
      testing::UnorderedElementsAre(folder_.path("net.yaml") + ":3:7: warning: unused (at x=1, y=a and 3 other points)",
                                    "s.yaml:2:31: warning: x is odd (at x=odd, y=a and 1 other point)"));
}

TEST_F(Sweep, AnInterruptedCheckSaysNothing) {
  const SweepConfig c = config("[odd]");
  SweepOptions o = options();
  o.interrupted = [] { return true; };
  EXPECT_FALSE(check_points(c, plan_sweep(c), {0, 1}, o).has_value());
}

TEST_F(Sweep, AKeyThatCannotBeSetAndAConfigurationThatIsNotThere) {
  const auto errors = [&](const std::string& text) {
    try {
      plan_sweep(parse_sweep(text, "s.yaml", folder_.path(), {}, false));
    } catch (const InputError& e) {
      return test::texts(e.list());
    }
    return std::vector<std::string>();
  };
  EXPECT_THAT(errors("sweep: net.yaml\naxes: [ { key: file.x, values: [1, 2] } ]\nmetrics: { m: sections.a.b }\n"),
              ElementsAre("s.yaml:2:33: error: file.x=1: 'file' is the value 'list.txt', it has no key 'x'",
                          "s.yaml:2:36: error: file.x=2: 'file' is the value 'list.txt', it has no key 'x'"));
  const auto missing = errors("sweep: none.yaml\naxes: [ { key: x, values: [1] } ]\nmetrics: { m: sections.a.b }\n");
  ASSERT_THAT(missing, SizeIs(1));
  const std::string file = folder_.path() + "/none.yaml";
  EXPECT_THAT(missing[0], testing::AllOf(testing::StartsWith("s.yaml:1:8: error: sweep: " + file + ": "),
                                         HasSubstr("No such file"), testing::Not(HasSubstr(file + ": error"))));
}

TEST_F(Sweep, TheStoreRefusesWhatIsNotItsOwn) {
  std::ofstream(database()) << "this is no database, and long enough to be taken for one if nobody looks at it closely";
  EXPECT_THROW(ResultStore{database()}, InputError);
  std::filesystem::remove(database());
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(database().c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "CREATE TABLE a(b)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
  EXPECT_THROW(ResultStore{database()}, InputError);
}

}  // namespace
}  // namespace weft
