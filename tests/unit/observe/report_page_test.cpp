// The page of a report: bars beside amounts.

#include "observe/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> bars(const Table& table) {
  ReportData data;
  data.tables = {table};
  const std::string page = report_html(data);
  const std::string before = "<td class=b><i style=\"width:";
  std::vector<std::string> out;
  for (std::size_t at = page.find(before); at != std::string::npos; at = page.find(before, at + 1)) {
    out.push_back(page.substr(at + before.size(), page.find('"', at + before.size()) - at - before.size()));
  }
  return out;
}

Table amounts() {
  return {"t",
          "A table",
          "What it holds.",
          {{"level", "", "a name"}, {"share", "%", "an amount"}},
          {{"a", std::int64_t{3}}, {"a", 12.0}, {"b", std::int64_t{4}}, {"b", Value{}}, {"b", -1.0}}};
}

TEST(ReportPage, BarsAreInProportionToTheLargestAmount) {
  Table t = amounts();
  EXPECT_THAT(bars(t), IsEmpty());
  t.bars = {.column = 1};
  EXPECT_THAT(bars(t), ElementsAre("25.0%", "100.0%", "33.3%", "0.0%", "0.0%"));
  t.bars = {.column = 1, .within = 0};
  EXPECT_THAT(bars(t), ElementsAre("25.0%", "100.0%", "100.0%", "0.0%", "0.0%"));
}

TEST(ReportPage, BarsOfNothingHaveNoLength) {
  Table t = amounts();
  t.bars = {.column = 1};
  t.rows = {{"a", 0.0}, {"a", Value{}}};
  EXPECT_THAT(bars(t), ElementsAre("0.0%", "0.0%"));
  t.rows = {};
  EXPECT_THAT(bars(t), IsEmpty());
}

TEST(ReportPage, BarsAreNoPartOfTheFigures) {
  Table t = amounts();
  const std::string csv = table_csv(t);
  t.bars = {.column = 1};
  EXPECT_EQ(table_csv(t), csv);
  ReportData data;
  data.tables = {t};
  EXPECT_THAT(report_json(data), Not(HasSubstr("bars")));
}

}  // namespace
}  // namespace weft
