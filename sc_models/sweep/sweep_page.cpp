// The page of a sweep.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "observe/page/page_data.h"
#include "observe/values.h"
#include "sweep/metric.h"
#include "sweep/outputs.h"

namespace weft {
namespace {

// Of a sweep that names no plots: each metric over the first axis, one line per point of the second.
std::vector<SweepPlot> page_plots(const SweepConfig& config) {
  constexpr std::size_t kMost = 6;
  if (!config.plots.empty() || config.axes.empty()) return config.plots;
  std::vector<SweepPlot> out;
  for (std::size_t m = 0; m < std::min(kMost, config.metrics.size()); ++m) {
    SweepPlot plot;
    plot.name = config.metrics[m].name;
    plot.title = config.metrics[m].label;
    plot.y = {m};
    if (config.axes.size() > 1) plot.series = 1;
    for (std::size_t a = 2; a < config.axes.size(); ++a) plot.fixed[a] = 0;
    out.push_back(std::move(plot));
  }
  return out;
}

ReportSection sweep_figures(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results) {
  using Status = SweepResults::Run::Status;
  const auto count = [&](auto of) { return std::count_if(results.runs.begin(), results.runs.end(), of); };
  const auto with = [&](Status status) { return count([status](const auto& run) { return run.status == status; }); };
  ReportSection s{"sweep", "Sweep", {}};
  s.figures = {{{"points", "1", "points of all axes together"}, whole(plan.points.size()), true},
               {{"seeds", "1", "runs of a point"}, whole(config.seeds.size()), true},
               {{"runs_done", "1", "runs that ended well"}, with(Status::done), true},
               {{"runs_failed", "1", "runs that did not"}, with(Status::failed), true},
               {{"runs_missing", "1", "runs that have no result yet"}, with(Status::missing), false},
               {{"runs_saturated", "1", "runs that report a saturated service"},
                count([](const auto& run) { return run.saturated(); }),
                true}};
  return s;
}

// Of the first metrics, the smallest and the largest mean of a point; empty when no run ended well.
ReportSection metric_figures(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results) {
  constexpr std::size_t kMost = 4;
  ReportSection s{"metrics", "Metrics", {}};
  for (std::size_t c = 0; c < std::min(kMost, results.columns.size()); ++c) {
    struct End {
      double mean;
      std::size_t point;
    };
    std::optional<End> lowest;
    std::optional<End> highest;
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
      const std::optional<double> mean = samples(config, results, p, c).mean();
      if (!mean) continue;
      if (!lowest || *mean < lowest->mean) lowest = End{*mean, p};
      if (!highest || *mean > highest->mean) highest = End{*mean, p};
    }
    if (!lowest) continue;
    const std::string key = results.columns[c].key(config);
    const auto add = [&](const char* which, const End& end) {
      s.figures.push_back(
          {{key + "_" + which, results.columns[c].unit,
            fmt::format("{} mean over the seeds of a point, at {}", which, plan.points[end.point].name)},
           end.mean,
           false});
    };
    add("lowest", *lowest);
    add("highest", *highest);
  }
  return s;
}

std::vector<std::string> page_notes(const SweepPlan& plan, const SweepResults& results) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> out;
  std::size_t noted = 0;
  std::string first;
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    const SweepResults::Run& run = results.runs[r];
    const std::string name = fmt::format("{}, seed {}", plan.points[plan.runs[r].point].name, plan.runs[r].seed);
    if (run.status == SweepResults::Run::Status::failed && out.size() < kMost) {
      out.push_back(fmt::format("failed: {}: {}", name, run.message));
    }
    if (run.notes.empty()) continue;
    if (noted++ == 0) first = fmt::format("{}: {}", name, run.notes.front());
  }
  if (noted > 0) {
    out.push_back(
        fmt::format("{} of {} runs have notes (table Results); the first, {}", noted, plan.runs.size(), first));
  }
  return out;
}

}  // namespace

bool SweepResults::Run::saturated() const { return std::any_of(notes.begin(), notes.end(), is_note_of_saturation); }

ReportData sweep_report(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results) {
  ReportData report;
  report.title = config.title.empty() ? config.file : config.title;
  report.config_file = config.file;
  report.has_seed = false;
  report.implementation = fmt::format("sweep of {}", config.config);
  report.sections = {sweep_figures(config, plan, results)};
  if (ReportSection metrics = metric_figures(config, plan, results); !metrics.figures.empty())
    report.sections.push_back(std::move(metrics));
  report.notes = page_notes(plan, results);
  const auto missing = std::count_if(results.runs.begin(), results.runs.end(), [](const SweepResults::Run& run) {
    return run.status == SweepResults::Run::Status::missing;
  });
  if (missing > 0) {
    report.complete = false;
    report.incomplete_why = fmt::format("{} of {} runs have no result yet", missing, plan.runs.size());
  }
  report.tables = {summary_table(config, plan, results), results_table(config, plan, results)};
  if (config.refine) report.tables.insert(report.tables.begin(), saturation_table(config, results));
  for (const SweepPlot& plot : page_plots(config)) {
    std::string meaning = "Means over the seeds";
    if (plot.kind == PlotKind::lines && plot.errors == ErrorBars::ci95)
      meaning += ", with their 95% confidence interval";
    if (plot.kind == PlotKind::lines && plot.errors == ErrorBars::stddev) meaning += ", with their standard deviation";
    page_of(report).charts.push_back({plot.name, meaning + ".", sweep_chart(config, results, plot, true)});
  }
  return report;
}

}  // namespace weft
