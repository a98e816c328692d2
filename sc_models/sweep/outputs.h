#pragma once
// Outputs of a sweep, made from the stored results: tables (one line per run, one per point) and charts.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "observe/plot.h"
#include "observe/sample_summary.h"
#include "observe/statistic.h"
#include "sweep/plan.h"
#include "sweep/result_store.h"
#include "sweep/saturation.h"
#include "sweep/sweep_config.h"

namespace weft {

/// A metric, or one member of a metric with '*'.
struct MetricColumn {
  std::size_t metric = 0;
  std::string member;
  std::string unit;
  std::string key(const SweepConfig& config) const;  ///< "latency", "bandwidth[3]"
};

struct SweepResults {
  struct Run {
    enum class Status { missing, done, failed } status = Status::missing;
    std::string message;
    std::vector<std::string> notes;             ///< of its report
    std::string notes_text() const;             ///< one after the other
    bool saturated() const;                     ///< its report says so
    std::vector<std::optional<double>> values;  ///< by column
  };
  std::vector<MetricColumn> columns;
  std::vector<Run> runs;  ///< as in the plan
  /// Points of the plan that a search has added, by their places on the axes.
  std::map<std::vector<std::size_t>, std::size_t> refined;
  std::vector<SaturationCurve> curves;  ///< of a search
};

/// Values of one column at one point of the plan, one per seed that has it.
SampleSummary samples(const SweepConfig& config, const SweepResults& results, std::size_t point, std::size_t column);

/// Reads the stored runs of the plan; `curves` are those of its search. Throws InputError when a report has no such
/// figure as a metric asks for.
SweepResults collect_results(const SweepConfig& config, const SweepPlan& plan, const ResultStore& store,
                             std::vector<SaturationCurve> curves = {});

/// The values as rows of the table `metrics`.
std::vector<StoredMetric> metric_rows(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results);

/// results.csv: one line per run.
Table results_table(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results);
/// summary.csv: one line per point, with mean, standard deviation and 95% confidence interval over its seeds.
Table summary_table(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results);

/// saturation.csv of a sweep with a search: one line per curve.
Table saturation_table(const SweepConfig& config, const SweepResults& results);

/// What the page of a sweep shows: its plots, both tables, notes and failures of its points.
ReportData sweep_report(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results);

/// `mark_saturated`: a plot that marks nothing else marks points with a saturated run.
Chart sweep_chart(const SweepConfig& config, const SweepResults& results, const SweepPlot& plot,
                  bool mark_saturated = false);

}  // namespace weft
