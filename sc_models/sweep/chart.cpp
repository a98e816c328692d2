// The plots of a sweep as charts.

#include <fmt/format.h>

#include <algorithm>

#include "sweep/outputs.h"

namespace weft {
namespace {

// The points of a plot: x, and the vertical or series index, to a point of the plan.
class PlotPoints {
 public:
  PlotPoints(const SweepConfig& config, const SweepPlot& plot) : plot_(plot) {
    for (const SweepAxis& a : config.axes) sizes_.push_back(a.points.size());
  }
  std::size_t at(std::size_t x, std::size_t series) const {
    std::size_t index = 0;
    for (std::size_t a = 0; a < sizes_.size(); ++a) {
      const std::size_t i = a == plot_.x ? x : plot_.series == a ? series : plot_.fixed.at(a);
      index = index * sizes_[a] + i;  // the last axis varies fastest
    }
    return index;
  }

 private:
  const SweepPlot& plot_;
  std::vector<std::size_t> sizes_;
};

ChartAxis chart_axis(const SweepAxis& axis, bool as_categories) {
  ChartAxis out;
  out.label = axis.label;
  out.unit = axis.unit;
  if (as_categories) {
    for (const AxisPoint& p : axis.points) out.categories.push_back(p.label);
    // Labels are as written; one such as 10us has its unit already.
    const auto first = axis_number(axis.points.front().label, "");
    if (first && !first->unit.empty()) out.unit.clear();
  }
  return out;
}

std::string series_name(const SweepConfig& config, const SweepPlot& plot, const MetricColumn& column,
                        std::size_t point) {
  std::string name;
  const auto add = [&](const std::string& part) { name += (name.empty() ? "" : ", ") + part; };
  const SweepMetric& metric = config.metrics[column.metric];
  if (plot.y.size() > 1) add(metric.label);
  if (const std::string* each = metric.path.each()) add(fmt::format("{} {}", *each, column.member));
  if (plot.series) {
    const SweepAxis& axis = config.axes[*plot.series];
    const std::string& label = axis.points[point].label;
    add(axis.is_number() ? fmt::format("{} = {}", axis.label, label) : label);
  }
  return name;
}

void add_heat_map(const SweepConfig& config, const SweepResults& results, const SweepPlot& plot,
                  const std::vector<std::size_t>& columns, const PlotPoints& points, Chart& chart) {
  const SweepMetric& metric = config.metrics[plot.y.front()];
  ChartHeatMap map;
  map.label = plot.y_label.empty() ? metric.label : plot.y_label;
  const std::size_t width = config.axes[plot.x].points.size();
  if (plot.y_label.empty() && !columns.empty()) map.unit = results.columns[columns.front()].unit;
  const auto add_row = [&](std::size_t series, std::size_t column) {
    map.rows.emplace_back();
    for (std::size_t x = 0; x < width; ++x) {
      map.rows.back().push_back(samples(config, results, points.at(x, series), column).mean());
    }
  };
  if (plot.series) {
    const SweepAxis& axis = config.axes[*plot.series];
    chart.y = chart_axis(axis, true);
    for (std::size_t s = 0; s < axis.points.size() && !columns.empty(); ++s) add_row(s, columns.front());
  } else {
    chart.y.label = *metric.path.each();
    for (const std::size_t c : columns) {
      chart.y.categories.push_back(results.columns[c].member);
      add_row(0, c);
    }
  }
  chart.heat_map = std::move(map);
}

// The column of the metric `mark` that belongs to the one shown: of the same member, or the only one.
std::optional<std::size_t> mark_of(const SweepConfig& config, const SweepResults& results, const SweepPlot& plot,
                                   const MetricColumn& shown) {
  if (!plot.mark) return std::nullopt;
  const bool members = config.metrics[*plot.mark].path.each() != nullptr;
  for (std::size_t c = 0; c < results.columns.size(); ++c) {
    const MetricColumn& column = results.columns[c];
    if (column.metric == *plot.mark && (!members || column.member == shown.member)) return c;
  }
  return std::nullopt;
}

bool has_saturated(const SweepConfig& config, const SweepResults& results, std::size_t point) {
  const auto first = results.runs.begin() + static_cast<std::ptrdiff_t>(point * config.seeds.size());
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(config.seeds.size()),
                     [](const SweepResults::Run& run) { return run.saturated(); });
}

}  // namespace

Chart sweep_chart(const SweepConfig& config, const SweepResults& results, const SweepPlot& plot, bool mark_saturated) {
  const SweepAxis& axis = config.axes[plot.x];
  const PlotPoints points(config, plot);
  const bool categories = plot.kind != PlotKind::lines || !axis.is_number();
  Chart chart;
  chart.title = plot.title;
  chart.x = chart_axis(axis, categories);
  chart.x.log = plot.x_scale == Scale::log;
  if (!plot.x_label.empty()) {
    chart.x.label = plot.x_label;
    chart.x.unit.clear();
  }
  std::vector<std::size_t> columns;
  for (const std::size_t metric : plot.y) {
    for (std::size_t c = 0; c < results.columns.size(); ++c) {
      if (results.columns[c].metric == metric) columns.push_back(c);
    }
  }
  if (plot.kind == PlotKind::heat_map) {
    add_heat_map(config, results, plot, columns, points, chart);
    return chart;
  }
  const auto same_unit = [&](std::size_t c) {
    return results.columns[c].unit == results.columns[columns.front()].unit;
  };
  chart.y.label = plot.y_label;
  if (plot.y_label.empty()) {
    chart.y.label = plot.y.size() == 1 ? config.metrics[plot.y.front()].label : "";
    if (!columns.empty() && std::all_of(columns.begin(), columns.end(), same_unit)) {
      chart.y.unit = results.columns[columns.front()].unit;
    }
  }
  chart.y.log = plot.y_scale == Scale::log;
  if (plot.mark) chart.mark = config.metrics[*plot.mark].label;
  const std::size_t lines = plot.series ? config.axes[*plot.series].points.size() : 1;
  for (const std::size_t c : columns) {
    const auto mark = mark_of(config, results, plot, results.columns[c]);
    for (std::size_t s = 0; s < lines; ++s) {
      ChartSeries series;
      series.name = series_name(config, plot, results.columns[c], s);
      series.style = plot.kind == PlotKind::bars ? SeriesStyle::bars : SeriesStyle::lines;
      for (std::size_t x = 0; x < axis.points.size(); ++x) {
        const SampleSummary summary = samples(config, results, points.at(x, s), c);
        ChartPoint point;
        point.x = categories ? static_cast<double>(x) : *axis.points[x].number;
        point.y = summary.mean();
        point.marked = mark && samples(config, results, points.at(x, s), *mark).mean().value_or(0) > 0;
        if (!plot.mark && mark_saturated && has_saturated(config, results, points.at(x, s))) {
          point.marked = true;
          chart.mark = "saturated";
        }
        if (plot.errors == ErrorBars::ci95) point.error = summary.ci95_half_width().value_or(0);
        if (plot.errors == ErrorBars::stddev) point.error = summary.stddev().value_or(0);
        series.points.push_back(point);
      }
      // Lines run to the right, in whatever order the file names the points.
      std::stable_sort(series.points.begin(), series.points.end(), [](auto& a, auto& b) { return a.x < b.x; });
      chart.series.push_back(std::move(series));
    }
  }
  return chart;
}

}  // namespace weft
