// Tables made of columns that bring their values, and the latency figures that all reports share.

#include "observe/columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "observe/message_latency.h"
#include "observe/vocabulary.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

struct Port {
  std::string name;
  std::uint32_t lanes = 0;
  std::optional<double> load;
};

Columns<Port> port_columns() {
  return {{{"name", "", "name"}, &Port::name},
          {{"lanes", "1", "lanes"}, &Port::lanes},
          {{"load", "%", "load"}, [](const Port& p) { return p.load; }},
          {{"busy", "", "load above a half"}, [](const Port& p) { return p.load.value_or(0) > 50; }}};
}

TEST(Columns, EveryCellStandsUnderItsHeading) {
  const Table t = make_table({"ports", "Ports", "One line per port."}, port_columns(),
                             std::vector<Port>{{"a", 4, 75.5}, {"b", 2, std::nullopt}});
  EXPECT_EQ(t.key, "ports");
  ASSERT_EQ(t.columns.size(), 4U);
  EXPECT_EQ(t.columns[2].unit, "%");
  EXPECT_THAT(t.rows, ElementsAre(std::vector<Value>{std::string("a"), std::int64_t{4}, 75.5, true},
                                  std::vector<Value>{std::string("b"), std::int64_t{2}, Value{}, false}));
}

TEST(Columns, ColumnsAboutAPartOfARowKeepTheirOrder) {
  struct Pair {
    Port left, right;
  };
  Columns<Pair> columns = columns_of<Pair>(port_columns(), &Pair::left);
  columns += columns_of<Pair>(port_columns(), [](const Pair& p) { return p.right; });
  const Table t = make_table({"pairs", "", ""}, columns, std::vector<Pair>{{{"a", 1, {}}, {"b", 2, {}}}});
  ASSERT_EQ(t.rows.size(), 1U);
  EXPECT_EQ(t.rows[0][0], Value{std::string("a")});
  EXPECT_EQ(t.rows[0][5], Value{std::int64_t{2}});
}

TEST(Columns, BarsAreNamedByTheirColumn) {
  const Table t = make_table({"ports", "", ""}, port_columns(), std::vector<Port>{});
  EXPECT_EQ(bars_of(t, "load", "name").column, 2U);
  EXPECT_EQ(bars_of(t, "load", "name").within, 0U);
  EXPECT_THROW(bars_of(t, "rate"), std::logic_error);
}

double value(const std::vector<Figure>& figures, const std::string& key) {
  for (const Figure& f : figures) {
    if (f.statistic.key == key) return std::get<double>(f.value);
  }
  throw std::out_of_range(key);
}

// 1,000 messages: the k-th waits k cycles at its source, takes 10 to its destination and 3 more for its other flits.
TEST(MessageLatency, PartsAddUpAndPercentilesAreRanks) {
  MessageLatency latency;
  for (Cycle k = 1; k <= 1000; ++k) latency.add(k, 10, 3);
  const std::vector<Figure> f = latency_figures(latency.figures(Duration{2000}));  // 2 ns
  EXPECT_DOUBLE_EQ(value(f, "latency_mean"), 2 * (500.5 + 13));
  EXPECT_DOUBLE_EQ(value(f, "latency_min"), 2 * 14);
  EXPECT_DOUBLE_EQ(value(f, "latency_p50"), 2 * 513);
  EXPECT_DOUBLE_EQ(value(f, "latency_p95"), 2 * 963);
  EXPECT_DOUBLE_EQ(value(f, "latency_p99"), 2 * 1003);
  EXPECT_DOUBLE_EQ(value(f, "latency_p999"), 2 * 1012);
  EXPECT_DOUBLE_EQ(value(f, "latency_max"), 2 * 1013);
  EXPECT_DOUBLE_EQ(value(f, "queueing"), 2 * 500.5);
  EXPECT_DOUBLE_EQ(value(f, "queueing_max"), 2 * 1000);
  EXPECT_DOUBLE_EQ(value(f, "network"), 20);
  EXPECT_DOUBLE_EQ(value(f, "serialization"), 6);
}

TEST(MessageLatency, TwoServicesTogetherAreAllTheirMessages) {
  MessageLatency fast;
  MessageLatency slow;
  MessageLatency both;
  for (const Cycle c : {1, 2, 5, 70'000}) {
    fast.add(c, 4, 0);
    both.add(c, 4, 0);
  }
  for (const Cycle c : {2, 100'000}) {
    slow.add(c, 6, 7);
    both.add(c, 6, 7);
  }
  fast.add(slow);
  EXPECT_EQ(fast.histogram().values(), both.histogram().values());
  const LatencyFigures a = fast.figures(Duration{1000});
  const LatencyFigures b = both.figures(Duration{1000});
  EXPECT_EQ(a.messages, 6U);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.queueing, b.queueing);
  EXPECT_EQ(a.queueing_max, 100'000);
  EXPECT_EQ(a.network, b.network);
  EXPECT_EQ(a.serialization, b.serialization);
}

TEST(MessageLatency, NothingMeasuredHasNoValues) {
  for (const Figure& f : latency_figures(MessageLatency().figures(Duration{1000}))) {
    EXPECT_TRUE(std::holds_alternative<std::monostate>(f.value)) << f.statistic.key;
  }
}

TEST(MessageLatency, HistogramCountsEveryMessageOnce) {
  const Table t = histogram_table({{"a", {{3, 2}, {40, 1}, {41, 4}}}, {"b", {{41, 1}}}}, Duration{500});
  const auto at = [&](std::size_t row, const char* key) { return t.rows.at(row)[column_index(t, key)]; };
  ASSERT_EQ(t.rows.size(), 3U);
  EXPECT_EQ(at(0, "service"), Value{std::string("a")});
  EXPECT_EQ(at(1, "from"), Value{20.0});  // 40 and 41 of half a nanosecond: bins of two
  EXPECT_EQ(at(1, "below"), Value{21.0});
  EXPECT_EQ(at(1, "messages"), Value{std::int64_t{5}});
  EXPECT_EQ(at(1, "density"), Value{5.0});
  EXPECT_EQ(at(2, "service"), Value{std::string("b")});
  EXPECT_EQ(at(2, "messages"), Value{std::int64_t{1}});
  EXPECT_EQ(t.bars->column, column_index(t, "density"));
}

}  // namespace
}  // namespace weft
