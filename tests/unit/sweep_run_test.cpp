// Planning, storing and executing sweeps; a small script stands for the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "config/sweep_config.h"
#include "report/report.h"
#include "support/scratch.h"
#include "sweep/outputs.h"
#include "sweep/plan.h"
#include "sweep/result_store.h"
#include "sweep/run_sweep.h"
#include "unit/config_support.h"

namespace weft {
namespace {

using test::ScratchFolder;
using test::slurp;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Says what it was called with; fails for seed 13; refuses the value 'bad'; warns of the value 'odd' and always of
// its configuration; otherwise reports its seed, with seed 21 a row that is late and two notes.
constexpr const char* kProgram = R"(#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
for a in "$@"; do
  [ "$previous" = --seed ] && seed=$a
  previous=$a
done
case "$*" in
  *x=bad*) echo '{"errors": [{"severity": "warning", "file": "net.yaml", "line": 1, "column": 1, "message": "unused"},
    {"severity": "error", "file": "--set x=bad", "line": 0, "column": 0, "message": "x is bad"},
    {"file": "net.yaml", "line": 4, "column": 2, "message": "no room"}]}'; exit 2;;
esac
if [ "$1" = check ]; then
  echo "$(dirname "$0")/net.yaml:3:7: warning: unused" >&2
  case "$*" in *x=odd*) echo '--set x=odd: warning: x is odd' >&2;; esac
  exit 0
fi
if [ "$seed" = 13 ]; then echo "error: lost a message" >&2; exit 1; fi
late=false
if [ "$seed" = 21 ]; then late=true; notes='"a is late", "so is nothing; else"'; fi
echo '{"figures": {"run": {"twice": {"value": '$((2 * seed))', "unit": "ns"}, "name": {"value": "n", "unit": ""}}},
  "notes": ['$notes'],
  "tables": {"t": {"columns": [{"key": "flow", "unit": ""}, {"key": "v", "unit": "1"}, {"key": "late", "unit": ""}],
    "rows": [{"flow": "a", "v": '$seed', "late": '$late'}, {"flow": "b", "v": 7, "late": false}]}}}'
)";

class Sweep : public testing::Test {
 protected:
  Sweep() {
    folder_.write("net.yaml", "fabric: fic\nseed: 5\nfile: list.txt\n");
    folder_.write("list.txt", "1 2 3\n");
    folder_.write("program", kProgram);
    chmod(folder_.path("program").c_str(), 0755);
    std::filesystem::create_directory(folder_.path("out"));
  }

  SweepConfig config(const std::string& values = "[1, 2]", const std::string& seeds = "3",
                     const std::string& metrics = "{ twice: sections.run.twice }", const std::string& more = "") const {
    return parse_sweep("sweep: net.yaml\naxes: [ { key: x, values: " + values +
                           " }, { key: y, values: [a, b] } ]\nseeds: " + seeds + "\nmetrics: " + metrics + "\n" + more,
                       "s.yaml", folder_.path(), {}, false);
  }
  SweepOptions options(std::size_t jobs = 2) const {
    SweepOptions o;
    o.program = folder_.path("program");
    o.out = folder_.path("out");
    o.jobs = jobs;
    return o;
  }
  std::string database() const { return folder_.path("out/results.sqlite"); }
  std::size_t calls() const {
    const std::string text = slurp(folder_.path("calls"));
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  SweepOutcome run(const SweepConfig& c, std::size_t jobs = 2) {
    const SweepPlan plan = plan_sweep(c);
    ResultStore store(database());
    return run_sweep(c, plan, work_of(plan, store.known()).runs, store, options(jobs));
  }
  std::set<std::string> identities(const SweepConfig& c) const {
    std::set<std::string> out;
    for (const PlannedRun& r : plan_sweep(c).runs) out.insert(r.identity);
    return out;
  }

  ScratchFolder folder_;
};

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
  folder_.write("net.yaml", "# a comment\nfabric:   fic\nseed: 6\nfile: 'list.txt'\n");
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
  folder_.write("net.yaml", "fabric: fic\nfile: list.txt\nz: 1\n");
  EXPECT_TRUE(changes()) << "a key of the configuration";
  folder_.write("base.yaml", "fabric: fic\nfile: list.txt\n");
  folder_.write("net.yaml", "base: base.yaml\n");
  EXPECT_EQ(identities(config()), before) << "the same configuration in two files";
  folder_.write("base.yaml", "fabric: fic\nfile: list.txt\nz: 1\n");
  EXPECT_TRUE(changes()) << "a key of a base";
}

TEST_F(Sweep, RunsEverythingOnceAndThenNothing) {
  EXPECT_EQ(run(config()).ran, 12U);
  EXPECT_EQ(calls(), 12U);
  EXPECT_EQ(run(config()).ran, 0U);
  EXPECT_EQ(run(config("[1, 2, 3]")).ran, 6U) << "only the new points";
  EXPECT_EQ(run(config("[1, 2, 3]", "4")).ran, 6U) << "only the new seed";
  EXPECT_EQ(calls(), 24U);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out/running")));
}

TEST_F(Sweep, AChangedConfigurationIsNoticedAndReplaced) {
  run(config());
  folder_.write("net.yaml", "fabric: fic\nfile: list.txt\nz: 1\n");
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

TEST_F(Sweep, AMetricThatIsNotThereEndsTheSweepButNotWhatItDid) {
  const SweepConfig c = config("[1]", "2", "{ t: sections.run.twise, u: 'tables.t[flow=a].w', n: sections.run.name }");
  std::vector<std::string> errors;
  try {
    run(c, 1);
  } catch (const InputError& e) {
    errors = test::texts(e.list());
  }
  EXPECT_THAT(
      errors,
      ElementsAre("s.yaml:4:15: error: metrics.t: section 'run' has no figure 'twise'; did you mean "
                  "'twice'? (at x=1, y=a)",
                  "s.yaml:4:38: error: metrics.u: table 't' has no column 'w'; there are: flow, v, late (at x=1, "
                  "y=a)",
                  "s.yaml:4:63: error: metrics.n: 'name' is no number but text ('n') (at x=1, y=a)"));
  EXPECT_EQ(run(config("[1]", "2")).ran, 3U) << "the first run is stored";
}

TEST_F(Sweep, NotesOfReportsAndMarkedPoints) {
  const SweepConfig c = parse_sweep(
      "sweep: net.yaml\naxes: [ { key: x, values: [1, 2] }, { key: y, values: [a, b] } ]\nseeds: [20, 21]\n"
      "title: t\nmetrics: { v: 'tables.t[flow=*].v', late: { path: 'tables.t[flow=*].late', label: is late }, "
      "any: 'tables.t[flow=a].late', none: 'tables.t[flow=b].late' }\n"
      "plots: { own: { x: x, y: v, fixed: { y: b }, mark: late }, all: { x: x, y: v, fixed: { y: b }, mark: any, "
      "title: u }, no: { x: x, y: v, series: y, mark: none } }\n",
      "s.yaml", folder_.path(), {}, false);
  run(c);
  const SweepPlan plan = plan_sweep(c);
  ResultStore store(database());
  const SweepResults results = collect_results(c, plan, store);
  EXPECT_THAT(table_csv(results_table(c, plan, results)), HasSubstr("2,b,20,done,,20,7,0,0,0,0,\n"));
  EXPECT_THAT(table_csv(results_table(c, plan, results)),
              HasSubstr("2,b,21,done,,21,7,1,0,1,0,a is late | so is nothing; else\n"));
  EXPECT_THAT(table_csv(summary_table(c, plan, results)), HasSubstr(",noted\n1,a,2,"));
  EXPECT_THAT(table_csv(summary_table(c, plan, results)), HasSubstr(",1\n2,b,2,"));
  std::vector<Chart> charts;
  std::vector<std::vector<bool>> marked;
  for (const SweepPlot& plot : c.plots) {
    charts.push_back(sweep_chart(c, results, plot));
    marked.emplace_back();
    for (const ChartSeries& s : charts.back().series) marked.back().push_back(s.points[0].marked && s.points[1].marked);
  }
  EXPECT_THAT(marked,
              ElementsAre(ElementsAre(true, false), ElementsAre(true, true), ElementsAre(false, false, false, false)));
  EXPECT_EQ(charts[0].mark, "is late");
  EXPECT_EQ(charts[0].title, "t, b") << "by the point that is fixed";
  EXPECT_EQ(charts[1].title, "u");
  EXPECT_EQ(charts[2].title, "t");
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

TEST_F(Sweep, MembersOfATableBecomeColumns) {
  const SweepConfig c = config("[1]", "2", "{ v: 'tables.t[flow=*].v', w: { path: sections.no.no, optional: true } }",
                               "plots: { p: { x: y, y: v } }\n");
  run(c);
  const SweepPlan plan = plan_sweep(c);
  ResultStore store(database());
  const SweepResults results = collect_results(c, plan, store);
  EXPECT_EQ(table_csv(results_table(c, plan, results)),
            "x,y,seed,status,message,v[a],v[b],w,notes\n1,a,1,done,,1,7,,\n"
            "1,a,2,done,,2,7,,\n1,b,1,done,,1,7,,\n1,b,2,done,,2,7,,\n");
  const Chart chart = sweep_chart(c, results, c.plots[0]);
  ASSERT_THAT(chart.series, SizeIs(2));
  EXPECT_EQ(chart.series[1].name, "flow b");
  EXPECT_THAT(chart.x.categories, ElementsAre("a", "b"));
  EXPECT_EQ(chart.series[0].points[1].y, 1.5);
  EXPECT_NEAR(chart.series[0].points[1].error, 12.706 * 0.5, 1e-3);
  EXPECT_EQ(chart.series[1].points[0].error, 0);
}

// A row that some run has is empty in the others; a name that no run has is wrong.
TEST_F(Sweep, ARowThatNoRunHasIsAnError) {
  const auto columns = [&](const std::string& metrics) {
    const SweepConfig c = config("[1]", "2", metrics);
    run(c);
    const ResultStore store(database());
    std::vector<std::string> out;
    try {
      for (const MetricColumn& column : collect_results(c, plan_sweep(c), store).columns) out.push_back(column.key(c));
    } catch (const InputError& e) {
      out = test::texts(e.list());
    }
    return out;
  };
  EXPECT_THAT(
      columns("{ t: 'tables.t[flow=c7].v', u: 'tables.t[flow=*,v=1000].v', w: 'tables.t[flow=b].v' }"),
      ElementsAre("s.yaml:4:15: error: metrics.t: in no run: table 't' has no row with [flow=c7]; column 'flow' has "
                  "no such value; there are: a, b (at x=1, y=a); if that can be, say 'optional: true'",
                  HasSubstr("metrics.u: in no run: table 't' has no row with [flow=*,v=1000]; column 'v' has no such "
                            "value; ")));
  EXPECT_THAT(columns("{ t: { path: 'tables.t[flow=c7].v', optional: true } }"), ElementsAre("t"));
  // The seed is in the table: one run of two has such a row.
  EXPECT_THAT(columns("{ t: 'tables.t[v=2].v' }"), ElementsAre("t"));
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
  std::filesystem::remove(database());
  const ResultStore first(database());
  std::string what;
  try {
    const ResultStore second(database());
  } catch (const InputError& e) {
    what = e.what();
  }
  EXPECT_THAT(what, HasSubstr("is in use by another sweep"));
}

}  // namespace
}  // namespace weft
