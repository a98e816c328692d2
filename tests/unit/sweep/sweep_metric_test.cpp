// Places of a report, and what stands there.

#include "sweep/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace weft {
namespace {

using testing::HasSubstr;

TEST(Metric, RowsAreFoundByTextAndByNumber) {
  const auto report = nlohmann::json::parse(R"({"figures": {"s": {"b": {"value": true, "unit": ""},
    "none": {"value": null, "unit": "ns"}}}, "tables": {"t": {"columns": [{"key": "sl", "unit": ""},
    {"key": "link", "unit": ""}, {"key": "v", "unit": "ns"}], "rows": [{"sl": 0, "link": "sw[1] -> x", "v": 3},
    {"sl": 1, "link": "sw[1] -> x", "v": 4.5}]}}})");
  const auto read = [&](const char* path) { return read_metric(*parse_metric_path(path).value, report); };
  EXPECT_EQ(read("figures.s.b").values[0].value, 1.0);
  EXPECT_FALSE(read("sections.s.none").values[0].value);
  EXPECT_EQ(read("sections.s.none").unit, "ns");
  EXPECT_EQ(read("tables.t[sl=1].v").values[0].value, 4.5);
  EXPECT_EQ(read("tables.t[sl=1.0].v").values[0].value, 4.5);
  EXPECT_EQ(read("tables.t[link=sw[1] -> x,sl=0].v").values[0].value, 3.0);
  EXPECT_FALSE(read("tables.t[sl=7].v").values.at(0).value) << "no such row: no value";
  EXPECT_EQ(read("tables.t[sl=7].v").error, "");
  EXPECT_EQ(read("tables.t[sl=7].v").no_row,
            "table 't' has no row with [sl=7]; column 'sl' has no such value; there are: 0, 1");
  EXPECT_EQ(read("tables.t[sl=1].v").no_row, "");
  EXPECT_EQ(read("tables.t[sl=*].v").values[1].member, "1");
  EXPECT_EQ(read("tables.t.v").error, "table 't' has more than one row; name the row by '[<column>=<value>]'");
  EXPECT_THAT(read("tables.t[link=sw[1] -> x].v").error, HasSubstr("more than one row that fits"));
  EXPECT_THAT(read("tables.u.v").error, HasSubstr("has no table 'u'; there are: t"));
}

}  // namespace
}  // namespace weft
