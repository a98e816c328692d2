// The page of a report: its data, bars beside amounts, what is drawn, cuts of what is too long.

#include "observe/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "observe/page/page_data.h"

namespace weft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

Table amounts() {
  return {"t",
          "A table",
          "What it holds.",
          {{"level", "", "a name"}, {"share", "%", "an amount"}},
          {{"a", std::int64_t{3}}, {"a", 12.0}, {"b", std::int64_t{4}}, {"b", Value{}}, {"b", 1.0 / 3}}};
}

Json page_of_table(const Table& table) {
  ReportData data;
  data.tables = {table};
  return Json::parse(page_json(data));
}

TEST(ReportPage, HasTheReportWithRowsAsArrays) {
  ReportData data;
  data.title = "A </script><b>title";
  data.tables = {amounts()};
  data.sections = {
      {"run", "Run", {{{"time", "ns", "all of it"}, 1.0 / 3, true}, {{"cycles", "1", ""}, std::int64_t{7}}}}};
  const Json page = Json::parse(page_json(data));
  const Json report = Json::parse(report_json(data));
  EXPECT_EQ(page["report"]["figures"], report["figures"]);
  EXPECT_EQ(page["report"]["title"], report["title"]);
  EXPECT_EQ(page["summary"]["keys"], Json::parse(R"([["run", "time"]])"));
  EXPECT_EQ(page["report"]["tables"]["t"]["rows"],
            Json::parse(R"([["a", 3], ["a", 12], ["b", 4], ["b", null], ["b", 0.333333333]])"));
  EXPECT_EQ(page["report"]["tables"]["t"]["rows_in_all"], 5);
  const std::string html = report_html(data);
  EXPECT_THAT(html, HasSubstr("<h1>A &lt;/script&gt;&lt;b&gt;title</h1>"));
  EXPECT_THAT(html, Not(HasSubstr("</script><b>")));
  EXPECT_EQ(html, report_html(data));
}

TEST(ReportPage, BarsAreNoPartOfTheFigures) {
  Table t = amounts();
  EXPECT_FALSE(page_of_table(t)["report"]["tables"]["t"].contains("bars"));
  const std::string csv = table_csv(t);
  t.bars = {.column = 1, .within = 0};
  EXPECT_EQ(table_csv(t), csv);
  EXPECT_EQ(page_of_table(t)["report"]["tables"]["t"]["bars"], Json::parse(R"({"column": 1, "within": 0})"));
  ReportData data;
  data.tables = {t};
  EXPECT_THAT(report_json(data), Not(HasSubstr("bars")));
}

TEST(ReportPage, LongTablesAreCut) {
  Table t = amounts();
  t.rows.assign(100'000, {"a", 1.0});
  t.rows[1] = {"b", 1.0};
  const Json table = page_of_table(t)["report"]["tables"]["t"];
  EXPECT_FALSE(table.contains("rows"));
  EXPECT_EQ(table["length"], 30'000);
  EXPECT_EQ(table["packed"][0]["of"], Json::parse(R"(["a", "b"])"));
  EXPECT_EQ(table["packed"][0]["at"].size(), 30'000U);
  EXPECT_EQ(table["packed"][0]["at"][1], 1);
  EXPECT_EQ(table["packed"][1], Json::parse(R"({"all": 1})"));
  EXPECT_EQ(table["rows_in_all"], 100'000);
}

// Names of links take most of the room.
TEST(ReportPage, LongTablesAreCutByTheirBytes) {
  Table t = amounts();
  t.key = "links";
  t.rows.clear();
  for (int r = 0; r < 100'000; ++r) t.rows.push_back({"node[" + std::to_string(r) + "] -> sw[0].port1", 1.0 / (r + 1)});
  const Json table = page_of_table(t)["report"]["tables"]["links"];
  EXPECT_LE(table.dump().size(), 1'500'000U);
  EXPECT_GT(table["length"], 20'000);
  EXPECT_EQ(table["packed"][0]["values"].size(), table["length"]);
  EXPECT_EQ(table["packed"][0]["values"][7], "node[7] -> sw[0].port1");
  EXPECT_EQ(table["rows_in_all"], t.rows.size());
}

TEST(ReportPage, LinksOfTheNetworkFindTheirLines) {
  ReportData data;
  data.tables = {{"links",
                  "Links",
                  "",
                  {{"phase", "", ""}, {"link", "", ""}, {"utilization", "%", ""}},
                  {{"p", "a -> b", 1.0}, {"p", "b -> a", 2.0}, {"q", "a -> b", 3.0}}}};
  NetworkView view;
  view.switches = {{0, 0}, {1, 0}};
  view.links = {{0, 1, "a -> b"}, {1, 0, "b -> a", NetworkView::Course::bowed}, {1, 0, "none"}};
  page_of(data).network = view;
  const Json network = Json::parse(page_json(data))["network"];
  EXPECT_EQ(network["links"], Json::parse("[[0, 1, 0, 0, 2], [1, 0, 1, 1], [1, 0, 0]]"));
  EXPECT_EQ(network["switches"], Json::parse("[0, 0, 1, 0]"));
}

// The page lists the busiest links and colours them: those must be among its lines.
TEST(ReportPage, LongTablesKeepTheLongestBars) {
  ReportData data;
  data.tables = {{"links", "Links", "", {{"link", "", ""}, {"utilization", "%", ""}}, {}}};
  Table& t = data.tables.front();
  constexpr std::size_t kLinks = 150'000;
  for (std::size_t r = 0; r < kLinks; ++r) {
    t.rows.push_back({"a[" + std::to_string(r) + "] -> b", static_cast<double>(r % 1000)});
  }
  t.rows.back()[1] = 5000.0;
  t.bars = {.column = 1, .within = std::nullopt};
  NetworkView view;
  view.switches = {{0, 0}, {1, 0}};
  view.links = {{0, 1, "a[0] -> b"}, {1, 0, "a[149999] -> b"}};
  page_of(data).network = view;
  const Json page = Json::parse(page_json(data));
  const Json& table = page["report"]["tables"]["links"];
  const std::size_t kept = table["length"];
  EXPECT_LT(kept, kLinks / 2);
  EXPECT_EQ(table["packed"][0]["values"][kept - 1], "a[149999] -> b");
  EXPECT_EQ(page["network"]["links"][0], Json::parse("[0, 1, 0]"));
  EXPECT_EQ(page["network"]["links"][1], Json({1, 0, 0, kept - 1}));
}

TEST(ReportPage, MergedLinksHaveTheLineOfTheBusiest) {
  ReportData data;
  data.tables = {{"links",
                  "Links",
                  "",
                  {{"link", "", ""}, {"utilization", "%", ""}},
                  {{"a", 1.0}, {"b", 3.0}, {"c", 2.0}, {"d", 7.0}}}};
  data.tables.front().bars = {.column = 1, .within = std::nullopt};
  NetworkView view;
  view.switches = {{0, 0}, {1, 0}, {2, 0}};
  view.links = {{0, 1, "a"}, {0, 1, "b"}, {0, 1, "c"}, {1, 0, "d"}, {1, 2, "idle"}};
  view.merged = true;
  page_of(data).network = view;
  const Json network = Json::parse(page_json(data))["network"];
  EXPECT_EQ(network["links"], Json::parse("[[0, 1, 0, 0], [1, 0, 0, 1], [1, 2, 0]]"));
  EXPECT_EQ(network["merged"], Json::parse(R"([["b", 3], ["d", 7]])"));
}

TEST(ReportPage, ChartsAreCutToWhatCanBeSeen) {
  ReportData data;
  ChartView boxes{"gantt", "", {}};
  ChartView line{"line", "", {}};
  for (int i = 0; i < 30'000; ++i) boxes.chart.boxes.push_back({0, 1.0 * i, i + (i % 3 == 0 ? 0.5 : 1.0), "", 0});
  line.chart.series.resize(1);
  for (int i = 0; i < 1'000'000; ++i) line.chart.series[0].points.push_back({1.0 * i, 1.0});
  page_of(data).charts = {boxes, line};
  const Json charts = Json::parse(page_json(data))["charts"];
  EXPECT_EQ(charts[0]["boxes"].size(), 20'000U);
  EXPECT_EQ(charts[0]["boxes_in_all"], 30'000);
  EXPECT_EQ(charts[0]["boxes"][0][1], 1);  // the longest, in their order
  EXPECT_LE(charts[1]["series"][0]["points"].size(), 4'000U);
}

}  // namespace
}  // namespace weft
