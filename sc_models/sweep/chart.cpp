// The plots of a sweep as charts.

#include <fmt/format.h>

#include <algorithm>

#include "sweep/outputs.h"

namespace weft {
namespace {

// The points of a plot: x, and the vertical or series index, to a point of the plan.
class PlotPoints {
 public:
  PlotPoints(const SweepConfig& config, const SweepResults& results, const SweepPlot& plot)
      : results_(results), plot_(plot) {
    for (const SweepAxis& a : config.axes) sizes_.push_back(a.grid());
  }
  // Of points that a search has added there may be none.
  std::optional<std::size_t> find(std::size_t x, std::size_t series) const {
    if (x < sizes_[plot_.x]) return at(x, series);
    const auto found = results_.refined.find(places(x, series));
    return found == results_.refined.end() ? std::nullopt : std::optional(found->second);
  }
  // Of the points of the file.
  std::size_t at(std::size_t x, std::size_t series) const {
    std::size_t index = 0;
    const std::vector<std::size_t> places = this->places(x, series);
    for (std::size_t a = 0; a < sizes_.size(); ++a) {
      index = index * sizes_[a] + places[a];  // the last axis varies fastest
    }
    return index;
  }
  std::vector<std::size_t> places(std::size_t x, std::size_t series) const {
    std::vector<std::size_t> out;
    for (std::size_t a = 0; a < sizes_.size(); ++a) {
      out.push_back(a == plot_.x ? x : plot_.series == a ? series : plot_.fixed.at(a));
    }
    return out;
  }

 private:
  const SweepResults& results_;
  const SweepPlot& plot_;
  std::vector<std::size_t> sizes_;
};

ChartAxis chart_axis(const SweepAxis& axis, bool as_categories) {
  ChartAxis out;
  out.label = axis.label;
  out.unit = axis.unit;
  if (as_categories) {
    for (std::size_t p = 0; p < axis.grid(); ++p) out.categories.push_back(axis.points[p].label);
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
  const std::size_t width = config.axes[plot.x].grid();
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
    for (std::size_t s = 0; s < axis.grid() && !columns.empty(); ++s) add_row(s, columns.front());
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

// Where the curves of a plot reach the limit of their search, if it shows the latency over the load.
void add_saturation(const SweepConfig& config, const SweepResults& results, const SweepPlot& plot,
                    const PlotPoints& points, std::size_t lines, Chart& chart) {
  if (!config.refine || plot.x != config.refine->axis) return;
  if (std::find(plot.y.begin(), plot.y.end(), config.refine->metric) == plot.y.end()) return;
  ChartSeries series;
  series.name = fmt::format("saturation: {:g} times the lowest load's", config.refine->times);
  for (std::size_t s = 0; s < lines; ++s) {
    for (const SaturationCurve& curve : results.curves) {
      const auto load = curve.load();
      if (!load || curve.at != points.places(0, s)) continue;
      if (!series.points.empty()) series.points.push_back({*load, std::nullopt});  // a gap: no line joins the curves
      series.points.push_back({*load, config.refine->times * *curve.lowest_latency});
    }
  }
  if (!series.points.empty()) chart.series.push_back(std::move(series));
}

}  // namespace

Chart sweep_chart(const SweepConfig& config, const SweepResults& results, const SweepPlot& plot, bool mark_saturated) {
  const SweepAxis& axis = config.axes[plot.x];
  const PlotPoints points(config, results, plot);
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
  const std::size_t lines = plot.series ? config.axes[*plot.series].grid() : 1;
  const std::size_t across = categories ? axis.grid() : axis.points.size();
  for (const std::size_t c : columns) {
    const auto mark = mark_of(config, results, plot, results.columns[c]);
    for (std::size_t s = 0; s < lines; ++s) {
      ChartSeries series;
      series.name = series_name(config, plot, results.columns[c], s);
      series.style = plot.kind == PlotKind::bars ? SeriesStyle::bars : SeriesStyle::lines;
      for (std::size_t x = 0; x < across; ++x) {
        const auto at = points.find(x, s);
        if (!at) continue;
        const SampleSummary summary = samples(config, results, *at, c);
        ChartPoint point;
        point.x = categories ? static_cast<double>(x) : *axis.points[x].number;
        point.y = summary.mean();
        point.marked = mark && samples(config, results, *at, *mark).mean().value_or(0) > 0;
        if (!plot.mark && mark_saturated && has_saturated(config, results, *at)) {
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
  if (!categories) add_saturation(config, results, plot, points, lines, chart);
  return chart;
}

}  // namespace weft
