// Outputs that a sweep makes of its reports: columns, notes, charts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "observe/report.h"
#include "sweep/outputs.h"
#include "unit/schema/config_support.h"
#include "unit/sweep/sweep_support.h"

namespace weft {
namespace {

using test::Sweep;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

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

TEST_F(Sweep, ADamagedReportIsNamed) {
  const SweepConfig c = config("[1]", "1");
  run(c);
  for (const char* report : {"{\"figures\": {\"run\"", "[]", "{}", ""}) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(database().c_str(), &db), SQLITE_OK);
    const std::string sql =
        std::string("UPDATE runs SET report = nullif('") + report + "', '') WHERE point = 'x=1, y=b'";
    ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    const ResultStore store(database());
    try {
      collect_results(c, plan_sweep(c), store);
      ADD_FAILURE() << report;
    } catch (const InputError& e) {
      EXPECT_THAT(e.list()[0].text(), HasSubstr("results.sqlite: error: the report of x=1, y=b, seed 1, "
                                                "is damaged; '--fresh' runs"));
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

}  // namespace
}  // namespace weft
