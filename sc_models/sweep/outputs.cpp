#include "sweep/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "observe/columns.h"
#include "sweep/metric.h"

namespace weft {
namespace {

using Json = nlohmann::json;

// Members of all metrics in the order of the file, those of one metric in the order in which reports show them.
class MetricMembers {
 public:
  explicit MetricMembers(const SweepConfig& config) : members_(config.metrics.size()) {}

  std::size_t member(std::size_t metric, const std::string& name) {
    auto& members = members_[metric];
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members[i].member == name) return i;
    }
    members.push_back({metric, name, {}});
    return members.size() - 1;
  }
  const std::vector<std::vector<MetricColumn>>& members() const { return members_; }

 private:
  std::vector<std::vector<MetricColumn>> members_;
};

// Where a point lies on each axis.
Columns<PlannedPoint> axis_columns(const SweepConfig& config) {
  Columns<PlannedPoint> out;
  for (std::size_t a = 0; a < config.axes.size(); ++a) {
    const SweepAxis& axis = config.axes[a];
    out.emplace_back(
        Statistic{axis.name, axis.is_number() ? axis.unit : "", fmt::format("point on axis '{}'", axis.name)},
        [&axis, a](const PlannedPoint& point) {
          const AxisPoint& p = axis.points[point.at[a]];
          return p.number ? Value(*p.number) : Value(p.label);
        });
  }
  return out;
}

const char* word(SweepResults::Run::Status status) {
  switch (status) {
    case SweepResults::Run::Status::done:
      return "done";
    case SweepResults::Run::Status::failed:
      return "failed";
    case SweepResults::Run::Status::missing:
      break;
  }
  return "missing";
}

}  // namespace

SampleSummary samples(const SweepConfig& config, const SweepResults& results, std::size_t point, std::size_t column) {
  std::vector<double> values;
  const std::size_t seeds = config.seeds.size();
  for (std::size_t r = point * seeds; r < (point + 1) * seeds; ++r) {
    const SweepResults::Run& run = results.runs[r];
    if (run.status == SweepResults::Run::Status::done && run.values[column]) values.push_back(*run.values[column]);
  }
  return SampleSummary(std::move(values));
}

std::string MetricColumn::key(const SweepConfig& config) const {
  const SweepMetric& m = config.metrics[metric];
  return m.path.each() == nullptr ? m.name : fmt::format("{}[{}]", m.name, member);
}

std::string SweepResults::Run::notes_text() const { return fmt::format("{}", fmt::join(notes, " | ")); }

SweepResults collect_results(const SweepConfig& config, const SweepPlan& plan, const ResultStore& store,
                             std::vector<SaturationCurve> curves) {
  struct Found {
    std::size_t metric;
    std::size_t member;
    std::optional<double> value;
  };
  SweepResults out;
  out.curves = std::move(curves);
  std::size_t grid = 1;
  for (const SweepAxis& axis : config.axes) grid *= axis.grid();
  for (std::size_t p = grid; p < plan.points.size(); ++p) out.refined[plan.points[p].at] = p;
  MetricMembers columns(config);
  std::vector<std::vector<Found>> found(plan.runs.size());
  Diagnostics diagnostics;
  for (std::size_t m = 0; m < config.metrics.size(); ++m) {
    if (config.metrics[m].path.each() == nullptr) columns.member(m, "");
  }
  std::vector<std::string> units(config.metrics.size());
  std::vector<bool> reported(config.metrics.size(), false);
  struct Rows {
    bool found = false;
    std::string missing;  // of the first run without
  };
  std::vector<Rows> rows(config.metrics.size());
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    const auto stored = store.get(plan.runs[r].identity);
    out.runs.emplace_back();
    if (!stored) continue;
    out.runs[r].message = stored->message;
    out.runs[r].status = stored->done ? SweepResults::Run::Status::done : SweepResults::Run::Status::failed;
    if (!stored->done) continue;
    const Json report = Json::parse(stored->report, nullptr, false);
    if (!report.is_object() || !report.contains("figures") || !report.contains("tables")) {
      throw InputError({store.file()}, fmt::format("the report of {}, seed {}, is damaged; '--fresh' runs everything "
                                                   "again",
                                                   stored->point, plan.runs[r].seed));
    }
    if (report.contains("notes")) out.runs[r].notes = report.at("notes").get<std::vector<std::string>>();
    for (std::size_t m = 0; m < config.metrics.size(); ++m) {
      const SweepMetric& metric = config.metrics[m];
      const MetricReading reading = read_metric(metric.path, report);
      if (!reading.error.empty()) {
        if (!metric.optional && !reported[m]) {
          reported[m] = true;
          diagnostics.error(metric.where,
                            fmt::format("metrics.{}: {} (at {})", metric.name, reading.error, stored->point));
        }
        continue;
      }
      if (!reading.unit.empty()) units[m] = reading.unit;
      if (reading.no_row.empty()) {
        rows[m].found = true;
      } else if (rows[m].missing.empty()) {
        rows[m].missing = fmt::format("{} (at {})", reading.no_row, stored->point);
      }
      for (const MetricValue& v : reading.values) found[r].push_back({m, columns.member(m, v.member), v.value});
    }
  }
  // A row that some run has may be missing in others; one that no run has is a wrong name.
  const bool complete = std::none_of(out.runs.begin(), out.runs.end(),
                                     [](const auto& run) { return run.status == SweepResults::Run::Status::missing; });
  for (std::size_t m = 0; m < config.metrics.size() && complete; ++m) {
    const SweepMetric& metric = config.metrics[m];
    if (metric.optional || reported[m] || rows[m].found || rows[m].missing.empty()) continue;
    diagnostics.error(metric.where, fmt::format("metrics.{}: in no run: {}; if that can be, say 'optional: true'",
                                                metric.name, rows[m].missing));
  }
  diagnostics.throw_if_errors();
  std::vector<std::size_t> first;  // column of each metric's first member
  for (std::size_t m = 0; m < config.metrics.size(); ++m) {
    first.push_back(out.columns.size());
    for (MetricColumn c : columns.members()[m]) {
      c.unit = units[m];
      out.columns.push_back(std::move(c));
    }
  }
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    out.runs[r].values.resize(out.columns.size());
    for (const Found& f : found[r]) out.runs[r].values[first[f.metric] + f.member] = f.value;
  }
  return out;
}

std::vector<StoredMetric> metric_rows(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results) {
  std::vector<StoredMetric> out;
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    if (results.runs[r].status != SweepResults::Run::Status::done) continue;
    for (std::size_t c = 0; c < results.columns.size(); ++c) {
      const MetricColumn& column = results.columns[c];
      out.push_back({plan.runs[r].identity, config.metrics[column.metric].name, column.member,
                     results.runs[r].values[c], column.unit});
    }
  }
  return out;
}

Table results_table(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results) {
  struct Row {
    const PlannedPoint& point;
    std::uint64_t seed;
    const SweepResults::Run& run;
  };
  std::vector<Row> rows;
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    rows.push_back({plan.points[plan.runs[r].point], plan.runs[r].seed, results.runs[r]});
  }
  Columns<Row> columns =
      columns_of<Row>(axis_columns(config), [](const Row& r) -> const PlannedPoint& { return r.point; });
  columns += Columns<Row>{
      {{"seed", "", "seed of the run"}, [](const Row& r) { return std::to_string(r.seed); }},
      {{"status", "", "done, failed, or missing: not run yet"}, [](const Row& r) { return word(r.run.status); }},
      {{"message", "", "why it failed"}, [](const Row& r) { return r.run.message; }}};
  for (std::size_t c = 0; c < results.columns.size(); ++c) {
    const MetricColumn& metric = results.columns[c];
    columns.emplace_back(Statistic{metric.key(config), metric.unit, config.metrics[metric.metric].path.text},
                         [c](const Row& r) { return r.run.values[c]; });
  }
  columns.emplace_back(Statistic{"notes", "", "what its report notes"},
                       [](const Row& r) { return r.run.notes_text(); });
  return make_table({"results", "Results", "One line per run."}, columns, rows);
}

Table saturation_table(const SweepConfig& config, const SweepResults& results) {
  std::string unit;
  for (const MetricColumn& c : results.columns) {
    if (c.metric == config.refine->metric) unit = c.unit;
  }
  return saturation_table(config, results.curves, unit);
}

namespace {

// On a terminal: the axes and as many metrics as have room, with their intervals where there are several seeds.
std::vector<std::size_t> shown_columns(const Table& summary, std::size_t axes, bool intervals) {
  constexpr std::size_t kMost = 10;
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < summary.columns.size() && out.size() < kMost; ++c) {
    const std::string& key = summary.columns[c].key;
    if (c < axes || key.ends_with("_mean") || (intervals && key.ends_with("_ci95"))) out.push_back(c);
  }
  return out;
}

}  // namespace

Table summary_table(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results) {
  const std::size_t seeds = config.seeds.size();
  struct Row {
    const PlannedPoint& point;
    std::span<const SweepResults::Run> runs;
    std::vector<SampleSummary> metrics;
  };
  std::vector<Row> rows;
  for (std::size_t p = 0; p < plan.points.size(); ++p) {
    Row& row = rows.emplace_back(Row{plan.points[p], std::span(results.runs).subspan(p * seeds, seeds), {}});
    for (std::size_t c = 0; c < results.columns.size(); ++c) row.metrics.push_back(samples(config, results, p, c));
  }
  const auto count = [](auto of) {
    return [of](const Row& r) { return std::count_if(r.runs.begin(), r.runs.end(), of); };
  };
  Columns<Row> columns =
      columns_of<Row>(axis_columns(config), [](const Row& r) -> const PlannedPoint& { return r.point; });
  columns.emplace_back(Statistic{"seeds", "1", "runs that ended well"}, count([](const SweepResults::Run& run) {
                         return run.status == SweepResults::Run::Status::done;
                       }));
  for (std::size_t c = 0; c < results.columns.size(); ++c) {
    const std::string key = results.columns[c].key(config);
    const std::string& unit = results.columns[c].unit;
    columns +=
        Columns<Row>{{{key + "_mean", unit, "mean over the seeds"}, [c](const Row& r) { return r.metrics[c].mean(); }},
                     {{key + "_stddev", unit, "standard deviation of the sample"},
                      [c](const Row& r) { return r.metrics[c].stddev(); }},
                     {{key + "_ci95", unit, "half width of the 95% confidence interval of the mean"},
                      [c](const Row& r) { return r.metrics[c].ci95_half_width(); }}};
  }
  columns.emplace_back(Statistic{"noted", "1", "runs whose report has notes"},
                       count([](const SweepResults::Run& run) { return !run.notes.empty(); }));
  Table out = make_table({"summary", "Summary", "One line per point: over its seeds."}, columns, rows);
  out.given_columns = config.axes.size();
  out.summary_columns = shown_columns(out, out.given_columns, seeds > 1);
  return out;
}

}  // namespace weft
