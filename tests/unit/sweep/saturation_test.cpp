// Searches for saturation. A script stands for the program: its latencies follow a formula whose saturation is known.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>

#include "observe/report.h"
#include "support/scratch.h"
#include "sweep/outputs.h"
#include "sweep/refine_axis.h"
#include "sweep/run_sweep.h"
#include "sweep/saturation.h"
#include "sweep/shard.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Result = SaturationCurve::Result;

// Latency 50 / (1 - load / capacity), times 0.9 and 1.1 for odd and even seeds; no latency and a note from the capacity
// on; fails at capacity 7 above 0.3.
constexpr const char* kQueue = R"(#!/bin/sh
for a in "$@"; do
  case "$a" in load=*) load=${a#load=};; capacity=*) capacity=${a#capacity=};; esac
  [ "$previous" = --seed ] && seed=$a
  previous=$a
done
echo "$capacity $load $seed" >> "$(dirname "$0")/calls"
exec awk -v load="$load" -v capacity="$capacity" -v seed="$seed" 'BEGIN {
  if (capacity == 7 && load > 0.3) { print "error: broken" > "/dev/stderr"; exit 1 }
  latency = load < capacity ? 50 / (1 - load / capacity) * (seed % 2 ? 0.9 : 1.1) : 9999
  note = load < capacity ? "" : "\"saturated: all\""
  printf "{\"figures\": {\"run\": {\"mean\": {\"value\": %s, \"unit\": \"ns\"}}}, \"notes\": [%s], \"tables\": {}}\n",
    load < 2 * capacity ? latency : "null", note }'
)";

class Saturation : public ::testing::Test {
 protected:
  Saturation() {
    folder_.write("net.yaml", "fabric: tdm\n");
    folder_.write("program", kQueue);
    chmod(folder_.path("program").c_str(), 0755);
  }
  SweepConfig config(const std::string& capacities = "[0.4, 0.8]", const std::string& loads = "[0.05, 0.9]",
                     const std::string& refine = "{ find: saturation, metric: mean }") const {
    return parse_sweep("sweep: net.yaml\naxes:\n  - { key: capacity, values: " + capacities +
                           " }\n  - { key: load, values: " + loads +
                           " }\nseeds: 2\nmetrics: { mean: sections.run.mean }\nrefine: " + refine + "\n",
                       "s.yaml", folder_.path(), {}, false);
  }
  // Runs a sweep to its end; `most` runs at most.
  RefinedSweep run(const SweepConfig& config, const std::string& store_name = "r.sqlite", std::size_t jobs = 2,
                   std::optional<SweepShard> shard = std::nullopt, std::size_t most = 100'000) {
    SweepPlanner planner(config);
    const SweepPlan grid = planner.plan();
    SaturationSearch search(config, grid, planner);
    ResultStore store(folder_.path(store_name));
    SweepOptions options;
    options.program = folder_.path("program");
    options.jobs = jobs;
    RefinedSweep now = search.replay(store);
    ran_ = 0;
    for (std::set<std::string> tried;;) {
      const SweepPlan part = shard ? shard_plan(now.config, now.plan, *shard) : now.plan;
      std::vector<std::size_t> runs = work_of(part, store.known()).runs;
      std::erase_if(runs, [&](std::size_t r) { return !tried.insert(part.runs[r].identity).second; });
      runs.resize(std::min(runs.size(), most - ran_));
      if (runs.empty()) break;
      ran_ += run_sweep(now.config, part, runs, store, options).ran;
      now = search.replay(store);
    }
    results_ = collect_results(now.config, now.plan, store, now.curves);
    return now;
  }
  std::string table(const RefinedSweep& sweep) const { return table_csv(saturation_table(sweep.config, results_)); }

  test::ScratchFolder folder_;
  std::size_t ran_ = 0;
  SweepResults results_;
};

// Three times the latency of load 0.05: 1 - load / c = (1 - 0.05 / c) / 3.
double expected(double capacity, double lowest = 0.05) { return capacity * 2 / 3 + lowest / 3; }

TEST_F(Saturation, IsFoundToTheGivenPrecisionWithFewRuns) {
  const RefinedSweep sweep = run(config());
  ASSERT_EQ(sweep.curves.size(), 2U);
  for (std::size_t c = 0; c < 2; ++c) {
    const SaturationCurve& curve = sweep.curves[c];
    const double load = expected(c == 0 ? 0.4 : 0.8);
    EXPECT_EQ(curve.result, Result::found);
    ASSERT_TRUE(curve.load());
    EXPECT_NEAR(*curve.load(), load, 0.01 * load);
    EXPECT_LT(*curve.low, load);
    EXPECT_GT(*curve.high, load);
    EXPECT_NEAR(*curve.lowest_latency, 50 / (1 - 0.05 / (c == 0 ? 0.4 : 0.8)), 1e-4) << "the mean of 0.9 and 1.1";
    // Halvings of 0.85 down to 2 percent of the load.
    EXPECT_EQ(curve.runs, 2 * (2 + std::ceil(std::log2(0.85 / (0.02 * load)))));
  }
  EXPECT_EQ(ran_, sweep.plan.runs.size()) << "every run is a run of the plan";
  EXPECT_EQ(results_.runs.size(), sweep.plan.runs.size());
  const RefinedSweep finer =
      run(config("[0.4]", "[0.05, 0.9]", "{ find: saturation, metric: mean, within: 0.1%, times: 5 }"));
  const double at_five = 0.4 * 0.8 + 0.05 / 5;
  EXPECT_NEAR(*finer.curves[0].load(), at_five, 0.001 * at_five);
}

TEST_F(Saturation, EveryRunIsARowInTheOrderOfCurvesAndLoads) {
  const RefinedSweep sweep = run(config());
  std::vector<std::pair<std::size_t, double>> places;
  for (std::size_t p = 4; p < sweep.plan.points.size(); ++p) {
    const PlannedPoint& point = sweep.plan.points[p];
    places.emplace_back(point.at[0], *sweep.config.axes[1].points[point.at[1]].number);
    EXPECT_EQ(sweep.plan.runs[2 * p].point, p);
    EXPECT_EQ(sweep.plan.runs[2 * p + 1].point, p);
  }
  EXPECT_GT(places.size(), 8U);
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
  const std::string csv = table_csv(results_table(sweep.config, sweep.plan, results_));
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), sweep.plan.runs.size() + 1);
  EXPECT_THAT(csv, HasSubstr("\n0.4,0.475,1,done,"));
}

TEST_F(Saturation, TheSameForAnyNumberOfProcessesAndAfterAnyStop) {
  const RefinedSweep whole = run(config());
  const std::string csv = table(whole);
  EXPECT_EQ(table(run(config(), "one.sqlite", 1)), csv);
  const std::size_t all = whole.plan.runs.size();
  for (std::size_t step : {1, 5}) {
    std::size_t total = 0;
    for (int i = 0; i < 100; ++i) {
      run(config(), fmt::format("step{}.sqlite", step), 2, {}, step);
      if (ran_ == 0) break;
      total += ran_;
    }
    const RefinedSweep again = run(config(), fmt::format("step{}.sqlite", step));
    EXPECT_EQ(ran_, 0U);
    EXPECT_EQ(total, all) << "nothing runs twice";
    EXPECT_EQ(table(again), csv);
  }
}

TEST_F(Saturation, ShardsHaveWholeCurvesAndMergeToTheSame) {
  const SweepConfig c = config("[0.3, 0.4, 0.8]");
  const RefinedSweep whole = run(c);
  const std::string csv = table(whole);
  std::size_t runs = 0;
  for (std::size_t i = 1; i <= 4; ++i) {
    run(c, fmt::format("part{}.sqlite", i), 2, SweepShard{i, 4});
    runs += ran_;
  }
  EXPECT_EQ(runs, whole.plan.runs.size()) << "a curve is in one shard";
  SweepPlanner planner(c);
  const SweepPlan grid = planner.plan();
  SaturationSearch search(c, grid, planner);
  ResultStore into(folder_.path("merged.sqlite"));
  RefinedSweep now = search.replay(into);
  for (;;) {
    std::vector<std::string> files;
    for (int i = 1; i <= 4; ++i) files.push_back(folder_.path(fmt::format("part{}.sqlite", i)));
    EXPECT_THAT(merge_stores(now.config, now.plan, files, into).missing, IsEmpty());
    RefinedSweep next = search.replay(into);
    const bool grown = next.plan.points.size() > now.plan.points.size();
    now = std::move(next);
    if (!grown) break;
  }
  results_ = collect_results(now.config, now.plan, into, now.curves);
  EXPECT_EQ(table(now), csv);
}

TEST_F(Saturation, WhatIsNotFoundIsSaidAndNoError) {
  const RefinedSweep sweep = run(config("[0.04, 0.4, 7, 90]", "[0.05, 0.2, 0.4]"));
  ASSERT_EQ(sweep.curves.size(), 4U);
  EXPECT_EQ(sweep.curves[0].result, Result::at_lowest);
  EXPECT_EQ(sweep.curves[1].result, Result::found);
  EXPECT_EQ(sweep.curves[1].runs, 2 * (3 + 6)) << "from 0.2 to 0.4, down to 2 percent of 0.283";
  EXPECT_EQ(sweep.curves[2].result, Result::failed);
  EXPECT_EQ(sweep.curves[3].result, Result::not_reached);
  EXPECT_EQ(sweep.curves[3].low, 0.4);
  EXPECT_FALSE(sweep.curves[3].high);
  const std::string csv = table(sweep);
  EXPECT_THAT(csv,
              AllOf(HasSubstr("capacity,saturation,saturation_low,saturation_high,lowest_latency (ns),runs,result\n"),
                    HasSubstr("\n0.04,,,,,6,at lowest load\n"), HasSubstr(",,0.2,,"), HasSubstr("failed\n"),
                    HasSubstr(",6,not reached\n")));
}

// A load at which no message is generated is not saturated.
TEST_F(Saturation, WithoutALatencyNothingIsFound) {
  std::string idle = kQueue;
  const std::string has = "load < 2 * capacity ?";
  idle.replace(idle.find(has), has.size(), "0.05 < load ?");
  folder_.write("program", idle);
  chmod(folder_.path("program").c_str(), 0755);
  const RefinedSweep sweep = run(config("[0.4]"));
  EXPECT_EQ(sweep.curves[0].result, Result::no_latency);
  EXPECT_THAT(table(sweep), HasSubstr("\n0.4,,,,,4,no latency\n"));
}

TEST_F(Saturation, PrecisionEndsWhereLoadsHaveTooManyDigits) {
  const RefinedSweep sweep = run(config("[0.00004]", "[0.00001, 0.001]"));
  EXPECT_EQ(sweep.curves[0].result, Result::coarse) << "loads have six decimals";
  EXPECT_NEAR(*sweep.curves[0].high - *sweep.curves[0].low, 1e-6, 1e-12);
  EXPECT_NEAR(*sweep.curves[0].load(), expected(0.00004, 0.00001), 1e-6);
}

TEST_F(Saturation, AFailedRunBeyondTheLimitDoesNotMatter) {
  const RefinedSweep sweep = run(config("[7]", "[0.05, 0.2]"));
  EXPECT_EQ(sweep.curves[0].result, Result::not_reached) << "it fails above 0.3 only";
}

TEST_F(Saturation, PointsWithSeveralKeysLieBetweenTheirNeighbours) {
  const SweepConfig c = parse_sweep(R"(sweep: net.yaml
axes:
  - name: load
    unit: flits
    points:
      - { label: low, value: 0.1, set: { load: 0.1, other: 10ns, same: x, capacity: 0.6 } }
      - { label: high, value: 0.5, set: { load: 0.5, other: 50ns, same: x, capacity: 0.6 } }
metrics: { latency: sections.run.mean }
refine: saturation
)",
                                    "s.yaml", folder_.path(), {}, false);
  const RefinedSweep sweep = run(c);
  EXPECT_NEAR(*sweep.curves[0].load(), expected(0.6, 0.1), 0.01 * expected(0.6, 0.1));
  const AxisPoint& first = sweep.config.axes[0].points[2];
  EXPECT_EQ(sweep.config.axes[0].refined + 2, sweep.config.axes[0].points.size());
  EXPECT_EQ(first.set[0].assignment(), fmt::format("load={:g}", *first.number));
  EXPECT_EQ(first.set[1].assignment(), fmt::format("other={:g}ns", 100 * *first.number));
  EXPECT_EQ(first.set[2].assignment(), "same=x");
}

// Keys take whole counts, bytes and picoseconds.
TEST(RefineAxis, WhatLiesBetweenIsWhatKeysTake) {
  SweepAxis axis;
  const auto between = [&](const std::string& from, const std::string& to, double number) {
    const AxisPoint low{"low", 100, {SweepSetting{"key", from, {}}}};
    const AxisPoint high{"high", 200, {SweepSetting{"key", to, {}}}};
    return point_between(axis, low, high, 100 * number).set.front().value;
  };
  EXPECT_EQ(between("100", "200", 1.5001), "150.01") << "what is searched: the number it is reported by";
  EXPECT_EQ(between("64B", "640B", 1.65626), "442B") << "442.006 bytes";
  EXPECT_EQ(between("1KiB", "2KiB", 1.5), "1536B");
  EXPECT_EQ(between("340b", "341b", 1.6), "341b") << "no whole bytes";
  EXPECT_EQ(between("8", "1", 1.5), "5");
  EXPECT_EQ(between("0", "1", 1.25), "0.25");
  EXPECT_EQ(between("0.5", "4", 1.5), "2.25");
  EXPECT_EQ(between("2cycles", "9cycles", 1.5), "6cycles");
  EXPECT_EQ(between("1ns", "2ns", 1.23456), "1.235ns");
  EXPECT_EQ(between("1us", "2us", 1.23456), "1.23456us");
  EXPECT_EQ(between("10Gb/s", "25Gb/s", 1.5), "17.5Gb/s");
}

TEST_F(Saturation, PlotsHaveThePointsThatWereAddedAndTheLimit) {
  const RefinedSweep sweep = run(config());
  SweepPlot plot;
  plot.x = 1;
  plot.y = {0};
  plot.series = 0;
  const Chart chart = sweep_chart(sweep.config, results_, plot);
  ASSERT_EQ(chart.series.size(), 3U);
  EXPECT_EQ(chart.series[0].points.size(), sweep.curves[0].runs / 2);
  EXPECT_EQ(chart.series[1].points.size(), sweep.curves[1].runs / 2);
  const auto& marks = chart.series[2].points;
  ASSERT_EQ(marks.size(), 3U) << "two marks with a gap between";
  EXPECT_EQ(marks[0].x, *sweep.curves[0].load());
  EXPECT_NEAR(*marks[0].y, 3 * 50 / (1 - 0.05 / 0.4), 1e-4);
  EXPECT_FALSE(marks[1].y);
  EXPECT_EQ(marks[2].x, *sweep.curves[1].load());
  plot.x = 0;
  plot.series = 1;
  EXPECT_EQ(sweep_chart(sweep.config, results_, plot).series.size(), 2U) << "a line per load of the file";
}

TEST_F(Saturation, ErrorsStandAtTheirKeys) {
  const auto errors = [&](const std::string& axes, const std::string& refine, const std::string& more = "",
                          bool quick = false) {
    try {
      parse_sweep("sweep: net.yaml\naxes: [ " + axes +
                      " ]\nmetrics: { latency: sections.run.mean, each: "
                      "'tables.t[flow=*].x', may: { path: figures.run.x, optional: true } }\nrefine: " +
                      refine + "\n" + more,
                  "s.yaml", folder_.path(), {}, quick);
    } catch (const InputError& e) {
      return test::texts(e.list());
    }
    return std::vector<std::string>();
  };
  const std::string load = "{ key: load, values: [0.1, 0.2] }";
  EXPECT_THAT(errors(load, "saturation"), IsEmpty());
  EXPECT_THAT(errors(load, "saturated"), ElementsAre("s.yaml:4:9: error: refine.find: unknown value 'saturated' "
                                                     "(expected saturation); did you mean 'saturation'?"));
  EXPECT_THAT(errors("{ key: rate, values: [0.1, 0.2] }", "saturation"),
              ElementsAre("s.yaml:4:9: error: refine.axis: there is no axis 'load'; expected one of: rate"));
  EXPECT_THAT(errors(load, "{ find: saturation, axis: lod, metric: latecy }"),
              ElementsAre("s.yaml:4:35: error: refine.axis: there is no axis 'lod'; did you mean 'load'?",
                          "s.yaml:4:48: error: refine.metric: there is no metric 'latecy'; did you mean 'latency'?"));
  EXPECT_THAT(errors(load, "{ find: saturation, metric: each }"),
              ElementsAre(HasSubstr("refine.metric: 'each' has one value per flow; name one, as in '[flow=...]'")));
  EXPECT_THAT(errors(load, "{ find: saturation, metric: may }"),
              ElementsAre(HasSubstr("metrics.may: the search of 'refine' needs this metric at every load; expected one "
                                    "without 'optional: true'")));
  const auto along = [&](const std::string& axis) { return errors(axis, "saturation"); };
  const std::string head = "s.yaml:4:9: error: refine.axis: nothing can be looked for along axis 'load': ";
  EXPECT_THAT(
      along("{ key: load, values: [0.1] }"),
      ElementsAre("s.yaml:4:9: error: refine.axis: expected at least two loads on axis 'load' to look between"));
  EXPECT_THAT(along("{ key: load, values: [low, high] }"), ElementsAre(head + "its points are not all numbers"));
  EXPECT_THAT(along("{ key: load, values: [0, 0.5] }"), ElementsAre(head + "its numbers are not all above 0"));
  EXPECT_THAT(
      along("{ key: i, name: load, values: [40us, 20us] }"),
      ElementsAre(HasSubstr("its numbers are times (us), and the load of a source falls as its interval grows")));
  EXPECT_THAT(along("{ name: load, points: [ { value: 1, set: { a: x } }, { value: 2, set: { a: y } } ] }"),
              ElementsAre(HasSubstr("'a' is set to 'x' and to 'y', and nothing lies between these two")));
  EXPECT_THAT(along("{ name: load, points: [ { value: 1, set: { a: 1 } }, { value: 2, set: { b: 2 } } ] }"),
              ElementsAre(HasSubstr("its points '1' and '2' set different keys")));
  EXPECT_THAT(
      along("{ name: load, points: [ { value: 1, label: p, set: { a: 1 } }, { value: 1, label: q, set: { a: 2 } } ] }"),
      ElementsAre(HasSubstr("its points 'p' and 'q' have the same number")));
  EXPECT_THAT(
      errors(load, "saturation", "quick: { axes: { load: ['0.1'] } }\n", true),
      ElementsAre(HasSubstr("expected at least two loads on axis 'load' to look between; section 'quick' leaves one")));
  EXPECT_THAT(
      errors(load + ", { key: x, name: runs, values: [1] }", "saturation"),
      ElementsAre(HasSubstr("refine: 'runs' is a column of saturation.csv; give the axis of that name another")));
  EXPECT_THAT(errors(load, "{ find: saturation, times: 1 }"), ElementsAre(HasSubstr("refine.times: ")));
  EXPECT_THAT(errors(load, "{ find: saturation, within: 0% }"), ElementsAre(HasSubstr("refine.within: ")));
}

}  // namespace
}  // namespace weft
