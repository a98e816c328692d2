#include "sweep/saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "observe/columns.h"
#include "sweep/metric.h"
#include "sweep/refine_axis.h"

namespace weft {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

bool narrow_enough(double low, double high, double within) { return high - low <= within * (low + high); }

}  // namespace

std::optional<double> SaturationCurve::load() const {
  if (result != Result::found && result != Result::coarse) return std::nullopt;
  return short_number((*low + *high) / 2);
}

SaturationSearch::SaturationSearch(const SweepConfig& config, const SweepPlan& grid, SweepPlanner& planner)
    : grid_config_(config), config_(config), plan_(grid), grid_points_(grid.points.size()), planner_(planner) {}

RefinedSweep SaturationSearch::replay(const ResultStore& store) {
  std::vector<std::size_t> sizes;
  for (const SweepAxis& a : grid_config_.axes) sizes.push_back(a.points.size());
  sizes[config_.refine->axis] = 1;
  std::vector<SaturationCurve> curves;
  std::vector<AddedPoints> added;
  for (auto& at : product(sizes)) {
    curves.push_back({std::move(at), SaturationCurve::Result::open, {}, {}, {}, 0});
    search(curves.back(), store, added.emplace_back());
  }
  return assemble(std::move(curves), added);
}

void SaturationSearch::search(SaturationCurve& curve, const ResultStore& store, AddedPoints& added) {
  using Result = SaturationCurve::Result;
  const SweepAxis& axis = grid_config_.axes[config_.refine->axis];
  struct Step {
    double load;
    Latency latency;
  };
  std::vector<Step> steps;
  for (const std::size_t p : by_number(axis)) {
    steps.push_back({*axis.points[p].number, mean_latency(grid_point(curve.at, p), store, curve)});
  }
  const auto missing = [](const Step& s) { return s.latency.kind == Latency::Kind::missing; };
  if (std::any_of(steps.begin(), steps.end(), missing)) return;
  curve.result = Result::failed;
  const Latency lowest = steps.front().latency;
  if (lowest.kind == Latency::Kind::failed) return;
  if (std::isinf(lowest.value)) {
    curve.result = lowest.saturated ? Result::at_lowest : Result::no_latency;
    return;
  }
  curve.lowest_latency = lowest.value;
  if (lowest.value <= 0) return;
  const double limit = config_.refine->times * lowest.value;
  for (const Step& step : steps) {
    if (step.latency.kind == Latency::Kind::failed) return;
    (step.latency.value > limit ? curve.high : curve.low) = step.load;
    if (curve.high) break;
  }
  if (!curve.high) {
    curve.result = Result::not_reached;
    return;
  }
  while (!narrow_enough(*curve.low, *curve.high, config_.refine->within)) {
    const auto middle = middle_of(*curve.low, *curve.high);
    if (!middle) {
      curve.result = Result::coarse;
      return;
    }
    const std::size_t point = added[*middle] = point_at(curve.at, *middle);
    const Latency latency = mean_latency(point, store, curve);
    if (latency.kind != Latency::Kind::ended) {
      curve.result = latency.kind == Latency::Kind::missing ? Result::open : Result::failed;
      return;
    }
    (latency.value > limit ? curve.high : curve.low) = *middle;
  }
  curve.result = Result::found;
}

SaturationSearch::Latency SaturationSearch::run_latency(const std::string& identity, const ResultStore& store) {
  if (const auto found = known_.find(identity); found != known_.end()) return found->second;
  const auto stored = store.get(identity);
  if (!stored) return {};
  if (!stored->done) return {Latency::Kind::failed, 0, false};
  const nlohmann::json report = nlohmann::json::parse(stored->report, nullptr, false);
  const SweepMetric& metric = config_.metrics[config_.refine->metric];
  MetricReading reading;
  if (report.is_object() && report.contains("figures") && report.contains("tables")) {
    reading = read_metric(metric.path, report);
  } else {
    reading.error = "its report is damaged; '--fresh' runs everything again";
  }
  if (!reading.error.empty()) {
    throw InputError(metric.where, fmt::format("metrics.{}: {} (at {})", metric.name, reading.error, stored->point));
  }
  const std::optional<double> value = reading.values.empty() ? std::nullopt : reading.values.front().value;
  Latency out{Latency::Kind::ended, value.value_or(kInfinite), false};
  out.saturated = is_saturated(report);
  if (out.saturated) out.value = kInfinite;
  known_[identity] = out;
  return out;
}

// Over the seeds of a point; a mean with an infinite latency is infinite.
SaturationSearch::Latency SaturationSearch::mean_latency(std::size_t point, const ResultStore& store,
                                                         SaturationCurve& curve) {
  const std::size_t seeds = config_.seeds.size();
  Latency out{Latency::Kind::ended, 0, false};
  for (std::size_t r = point * seeds; r < (point + 1) * seeds; ++r) {
    const Latency latency = run_latency(plan_.runs[r].identity, store);
    curve.runs += latency.kind == Latency::Kind::ended ? 1 : 0;
    out.kind = std::min(out.kind, latency.kind);  // missing before failed before ended
    out.value += latency.value / static_cast<double>(seeds);
    out.saturated = out.saturated || latency.saturated;
  }
  return out;
}

std::size_t SaturationSearch::grid_point(std::vector<std::size_t> at, std::size_t load) const {
  at[config_.refine->axis] = load;
  std::size_t index = 0;
  for (std::size_t a = 0; a < at.size(); ++a) index = index * grid_config_.axes[a].points.size() + at[a];
  return index;
}

std::size_t SaturationSearch::point_at(std::vector<std::size_t> at, double load) {
  const SweepAxis& grid = grid_config_.axes[config_.refine->axis];
  SweepAxis& axis = config_.axes[config_.refine->axis];
  const auto [place, fresh] = places_.try_emplace(load, axis.points.size());
  if (fresh) {
    const std::vector<std::size_t> order = by_number(grid);
    const auto above =
        std::find_if(order.begin(), order.end(), [&](std::size_t p) { return *grid.points[p].number > load; });
    axis.points.push_back(point_between(grid, grid.points[*(above - 1)], grid.points[*above], load));
    ++axis.refined;
  }
  at[config_.refine->axis] = place->second;
  const auto [point, unplanned] = added_.try_emplace(at, plan_.points.size());
  if (unplanned) planner_.add(config_, std::move(at), plan_);
  return point->second;
}

RefinedSweep SaturationSearch::assemble(std::vector<SaturationCurve> curves,
                                        const std::vector<AddedPoints>& added) const {
  RefinedSweep out{grid_config_, {}, std::move(curves)};
  SweepAxis& axis = out.config.axes[config_.refine->axis];
  std::map<double, std::size_t> places;
  for (const AddedPoints& points : added) {
    for (const auto& [load, point] : points) places[load] = 0;
  }
  for (auto& [load, place] : places) {
    place = axis.points.size();
    axis.points.push_back(config_.axes[config_.refine->axis].points[places_.at(load)]);
    ++axis.refined;
  }
  const std::size_t seeds = config_.seeds.size();
  const auto run_of = [&](std::size_t point) {
    return plan_.runs.begin() + static_cast<std::ptrdiff_t>(point * seeds);
  };
  out.plan.points.assign(plan_.points.begin(), plan_.points.begin() + static_cast<std::ptrdiff_t>(grid_points_));
  out.plan.runs.assign(plan_.runs.begin(), run_of(grid_points_));
  for (const AddedPoints& points : added) {
    for (const auto& [load, point] : points) {
      std::for_each(run_of(point), run_of(point + 1), [&](PlannedRun run) {
        run.point = out.plan.points.size();
        out.plan.runs.push_back(std::move(run));
      });
      out.plan.points.push_back(plan_.points[point]);
      out.plan.points.back().at[config_.refine->axis] = places.at(load);
    }
  }
  return out;
}

Table saturation_table(const SweepConfig& config, const std::vector<SaturationCurve>& curves, const std::string& unit) {
  const SweepRefinement& refine = *config.refine;
  const SweepAxis& load = config.axes[refine.axis];
  const std::string& metric = config.metrics[refine.metric].label;
  Columns<SaturationCurve> columns;
  for (std::size_t a = 0; a < config.axes.size(); ++a) {
    if (a == refine.axis) continue;
    const SweepAxis& axis = config.axes[a];
    columns.emplace_back(
        Statistic{axis.name, axis.is_number() ? axis.unit : "", fmt::format("point on axis '{}'", axis.name)},
        [&axis, a](const SaturationCurve& curve) {
          const AxisPoint& p = axis.points[curve.at[a]];
          return p.number ? Value(*p.number) : Value(p.label);
        });
  }
  const auto key = [](std::size_t column) { return std::string(kSaturationColumns[column]); };
  columns += Columns<SaturationCurve>{
      {{key(0), load.unit,
        fmt::format("{} at which {} is {:g} times that of the lowest load: middle of the bracket", load.label, metric,
                    refine.times)},
       &SaturationCurve::load},
      {{key(1), load.unit, "lower end of the bracket: highest load below that limit"}, &SaturationCurve::low},
      {{key(2), load.unit, "upper end of the bracket: lowest load beyond it, or with a saturated run"},
       &SaturationCurve::high},
      {{key(3), unit, fmt::format("{} at the lowest load", metric)}, &SaturationCurve::lowest_latency},
      {{key(4), "1", "runs of the curve that ended well"}, &SaturationCurve::runs},
      {{key(5), "",
        "found; coarse: no load with few digits lies in the bracket; not reached: even the highest load is below the "
        "limit; at lowest load: that is saturated already; no latency: a run at the lowest load has none; failed: a "
        "run that is needed failed; open: runs are "
        "missing"},
       [](const SaturationCurve& curve) { return to_string(curve.result); }}};
  Table out = make_table({"saturation", "Saturation",
                          fmt::format("One line per curve: {} at which {} is {:g} times that of the lowest load, to "
                                      "{:g} percent.",
                                      load.label, metric, refine.times, 100 * refine.within)},
                         columns, curves);
  for (std::size_t c = 0; c < out.columns.size(); ++c) out.summary_columns.push_back(c);
  return out;
}

}  // namespace weft
