#include "observe/profile/throughput.h"

#include <utility>

#include "observe/columns.h"
#include "observe/page/page_data.h"

namespace weft {
namespace {

ProfileShape shape_of(Duration tick) {
  ProfileShape shape;
  shape.tick = tick;
  return shape;
}

}  // namespace

ThroughputSeries::ThroughputSeries(Duration tick) : profile_(shape_of(tick), {0, Window::kOpen}) {}

void ThroughputSeries::add_to(ReportData& report) const {
  struct Row {
    Window ticks;
    std::uint64_t bytes;
  };
  std::vector<Row> rows;
  std::uint64_t all = 0;
  for (std::size_t w = 0; w < profile_.windows(); ++w) {
    rows.push_back({profile_.window(w), profile_.accepted(w)});
    all += rows.back().bytes;
  }
  if (all == 0) return;
  const Cycle begin = profile_.window().first;
  const auto rate = [this](const Row& r) { return static_cast<double>(r.bytes) * 8 / ns(r.ticks.length()); };
  const Columns<Row> columns{{{"begin", "ns", "of the period, from the start of the programs"},
                              [&](const Row& r) { return ns(r.ticks.first - begin); }},
                             {{"end", "ns", "of the period"}, [&](const Row& r) { return ns(r.ticks.last - begin); }},
                             {{"bytes", "B", "of messages whose last byte arrived in it"}, &Row::bytes},
                             {{"rate", "Gb/s", "the same per time"}, rate}};
  report.tables.push_back(make_table({"throughput", "Throughput over time",
                                      "Bytes that messages brought to their destinations, by periods of equal length."},
                                     columns, rows));
  ChartView view{
      "throughput", "Bytes delivered over the length of each period; a message counts when it is complete.", {}};
  Chart& chart = view.chart;
  chart.title = "Throughput over time";
  chart.x.label = "time";
  chart.x.unit = "ns";
  chart.y.label = "delivered";
  chart.y.unit = "Gb/s";
  chart.y.min = 0;
  ChartSeries line;
  line.style = SeriesStyle::steps;
  line.markers = false;
  for (const Row& r : rows) line.points.push_back({ns(r.ticks.first - begin), rate(r)});
  line.points.push_back({ns(rows.back().ticks.last - begin), rate(rows.back())});
  chart.series.push_back(std::move(line));
  page_of(report).charts.push_back(std::move(view));
}

}  // namespace weft
