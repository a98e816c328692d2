// Charts: what the script says, and what gnuplot makes of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/diagnostics.h"
#include "observe/plot.h"
#include "support/scratch.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::Not;

Chart lines() {
  Chart chart;
  chart.title = "A & B's <load_1>";
  chart.x = {"load", "%", false, {}, {}, {}};
  chart.y = {"latency", "ns", false, {}, {}, {}};
  chart.series.push_back({"first {x}", SeriesStyle::lines, {{1, 10, 2}, {2, std::nullopt, 0}, {3, 30, 0}}, true});
  chart.series.push_back({"second", SeriesStyle::steps, {{1, 12, 0}, {3, 5, 0}}, true});
  return chart;
}

Chart boxes() {
  Chart chart;
  chart.title = "Jobs";
  chart.y.categories = {"node 0", "node 1"};
  chart.boxes = {{0, 0, 10, "long enough", 0}, {1, 9.99, 10, "does not fit", 1}};
  chart.groups = {"compute", "send"};
  return chart;
}

Chart heat_map() {
  Chart chart;
  chart.title = "Links";
  chart.x.categories = {"a", "b"};
  chart.y.categories = {"c", "d"};
  chart.heat_map = ChartHeatMap{{{1.0, std::nullopt}, {2.5, 12345.0}}, "load", "%"};
  return chart;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t i = text.find(what); i != std::string::npos; i = text.find(what, i + 1)) ++n;
  return n;
}

// One ring per point that is drawn, and one in the legend.
TEST(Plot, MarkedPointsHaveARing) {
  Chart chart = lines();
  chart.mark = "too much";
  const std::string none = chart_script(chart);
  EXPECT_THAT(none, Not(HasSubstr("too much")));
  const std::size_t before = count(chart_svg(chart), "<circle") + count(chart_svg(chart), "<use");
  chart.series[0].points[1].marked = true;  // has no value
  EXPECT_EQ(chart_script(chart), none);
  chart.series[0].points[2].marked = true;
  const std::string script = chart_script(chart);
  EXPECT_THAT(script, HasSubstr("$marks << EOD\n3 30\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("title 'too much'"));
  const std::string svg = chart_svg(chart);
  EXPECT_EQ(count(svg, "<circle") + count(svg, "<use"), before + 2);
}

TEST(Plot, TextIsTakenAsItIs) {
  const std::string svg = chart_svg(lines());
  EXPECT_THAT(svg, HasSubstr("<title>A &amp; B's &lt;load_1&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr(">A &amp; B's &lt;load_1&gt;<"));
  EXPECT_THAT(svg, HasSubstr(">first {x}<"));
  EXPECT_THAT(svg, HasSubstr(">latency (ns)<"));
  EXPECT_THAT(svg, Not(HasSubstr("Produced by")));
}

TEST(Plot, EqualChartsGiveEqualBytes) { EXPECT_EQ(chart_svg(lines()), chart_svg(lines())); }

TEST(Plot, EveryMeasuredPointIsInTheScriptAndAGapIsNone) {
  const std::string script = chart_script(lines());
  EXPECT_THAT(script, HasSubstr("1 10 8 12\n2 NaN NaN NaN\n3 30 30 30\n"));
  EXPECT_THAT(script, HasSubstr("with steps"));
  EXPECT_EQ(count(script, "with vectors"), 1U) << "error bars only where there are errors";
}

TEST(Plot, ErrorBarsEndAtZeroWhereNoValueIsBelow) {
  Chart chart = lines();
  chart.series[0].points = {{1, 1, 5}, {2, 2, 0}};
  EXPECT_THAT(chart_script(chart), HasSubstr("1 1 0 6\n"));
  chart.series[0].points = {{1, -1, 5}, {2, 2, 0}};
  EXPECT_THAT(chart_script(chart), HasSubstr("1 -1 -6 4\n"));
}

TEST(Plot, ALogarithmicAxisLeavesOutWhatItCannotShow) {
  Chart chart = lines();
  chart.y.log = true;
  chart.series = {{"s", SeriesStyle::lines, {{1, 0, 0}, {2, 20, 30}, {3, 700, 0}}, true}};
  const std::string script = chart_script(chart);
  EXPECT_THAT(script, HasSubstr("1 NaN NaN NaN\n2 20 10 50\n"));
  EXPECT_THAT(script, HasSubstr("set yrange [10:1000]"));
  EXPECT_THAT(script, HasSubstr("set ytics (10, 20, 50, 100, 200, 500, 1000)"));
  EXPECT_NO_THROW(chart_svg(chart));
}

TEST(Plot, BarsStandSideBySide) {
  Chart chart = lines();
  chart.x.categories = {"p", "q", "r", "s"};
  for (ChartSeries& s : chart.series) s.style = SeriesStyle::bars;
  const std::string script = chart_script(chart);
  EXPECT_THAT(script, HasSubstr("0.8 10 8 12\n"));  // two bars of 0.4 around 1
  EXPECT_THAT(script, HasSubstr("1.2 12 12 12\n"));
  EXPECT_THAT(script, HasSubstr("set yrange [0:*]"));
  EXPECT_NO_THROW(chart_svg(chart));
}

TEST(Plot, NamesOnAnAxisAreNoFormats) {
  Chart chart = lines();
  chart.x.categories = {"25%", "100% of %s", "r", "s"};
  const std::string svg = chart_svg(chart);
  EXPECT_THAT(svg, HasSubstr("25%<"));
  EXPECT_THAT(svg, HasSubstr("100% of %s<"));
}

TEST(Plot, BoxesCarryLabelsThatFit) {
  const std::string svg = chart_svg(boxes());
  EXPECT_THAT(svg, HasSubstr(">long enough<"));
  EXPECT_THAT(svg, Not(HasSubstr("does not fit")));
  EXPECT_THAT(svg, HasSubstr(">node 1<"));
  EXPECT_THAT(svg, HasSubstr(">send<"));
}

TEST(Plot, TwoBoxesOfHalfTheHeightShareARow) {
  Chart chart = boxes();
  chart.boxes = {{0, 0, 4, {}, 0, BoxLane::upper}, {0, 2, 8, {}, 1, BoxLane::lower}};
  const std::string script = chart_script(chart);
  EXPECT_THAT(script, HasSubstr("0 0 0 4 -0.36 -0.03\n"));  // rows count downwards
  EXPECT_THAT(script, HasSubstr("2 0 2 8 0.03 0.36\n"));
}

TEST(Plot, ADashedLineLeavesTheOneBelowToBeSeen) {
  Chart chart = lines();
  chart.series[0].dashed = true;
  const std::string script = chart_script(chart);
  EXPECT_EQ(count(script, "dashtype 2"), 1U);
  EXPECT_EQ(count(script, "dashtype 1"), 1U);
}

TEST(Plot, CellsOfASmallHeatMapCarryTheirValue) {
  const std::string svg = chart_svg(heat_map());
  EXPECT_THAT(svg, HasSubstr(">2.5<"));
  EXPECT_THAT(svg, HasSubstr(">12345<"));
  EXPECT_THAT(chart_script(heat_map()), HasSubstr("$empty << EOD\n1 0 "));
}

TEST(Plot, ScaleOfAHeatMapCanBeGiven) {
  Chart chart = heat_map();
  EXPECT_THAT(chart_script(chart), HasSubstr("set cbrange [1:12345]"));
  chart.heat_map->min = 0;
  chart.heat_map->max = 20000;
  EXPECT_THAT(chart_script(chart), HasSubstr("set cbrange [0:20000]"));
}

TEST(Plot, NothingToShowIsAChartToo) {
  Chart chart;
  EXPECT_THAT(chart_svg(chart), HasSubstr("no data"));
  chart.series = {{"s", SeriesStyle::lines, {{1, 0, 0}}, true}};
  EXPECT_NO_THROW(chart_svg(chart)) << "a single point, at 0";
  chart.series.clear();
  chart.heat_map = ChartHeatMap{{{std::nullopt}}, "", ""};
  chart.x.categories = {"a"};
  EXPECT_NO_THROW(chart_svg(chart));
}

TEST(Plot, TheScriptDrawsTheFileAgain) {
  const test::ScratchFolder folder;
  const auto paths = write_chart(folder.path(), "jobs", boxes());
  ASSERT_EQ(paths.size(), 2U);
  std::filesystem::remove(paths[0]);
  ASSERT_EQ(std::system(("cd " + folder.path() + " && gnuplot jobs.gp").c_str()), 0);
  EXPECT_THAT(test::slurp(folder.path("jobs.svg")), HasSubstr(">long enough<"));
}

TEST(Plot, AMissingGnuplotIsSaid) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  std::string what;
  try {
    chart_svg(lines());
  } catch (const RunError& e) {
    what = e.what();
  }
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(what, "gnuplot is not installed (Debian: gnuplot-nox)");
}

}  // namespace
}  // namespace weft
