#include "sweep/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sweep/metric.h"

namespace weft {
namespace {

using Json = nlohmann::json;

Value to_value(std::optional<double> v) { return v ? Value(*v) : Value(); }

// Members of all metrics in the order of the file, those of one metric in the order in which reports show them.
class Columns {
 public:
  explicit Columns(const SweepConfig& config) : members_(config.metrics.size()) {}

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

std::vector<Value> axis_cells(const SweepConfig& config, const PlannedPoint& point) {
  std::vector<Value> out;
  for (std::size_t a = 0; a < config.axes.size(); ++a) {
    const AxisPoint& p = config.axes[a].points[point.at[a]];
    out.push_back(p.number ? Value(*p.number) : Value(p.label));
  }
  return out;
}

std::vector<Statistic> axis_columns(const SweepConfig& config) {
  std::vector<Statistic> out;
  for (const SweepAxis& a : config.axes) {
    out.push_back({a.name, a.is_number() ? a.unit : "", fmt::format("point on axis '{}'", a.name)});
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

SweepResults collect_results(const SweepConfig& config, const SweepPlan& plan, const ResultStore& store) {
  struct Found {
    std::size_t metric;
    std::size_t member;
    std::optional<double> value;
  };
  SweepResults out;
  Columns columns(config);
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
  Table table{"results", "Results", "One line per run.", axis_columns(config), {}};
  table.columns.push_back({"seed", "", "seed of the run"});
  table.columns.push_back({"status", "", "done, failed, or missing: not run yet"});
  table.columns.push_back({"message", "", "why it failed"});
  for (const MetricColumn& c : results.columns) {
    table.columns.push_back({c.key(config), c.unit, config.metrics[c.metric].path.text});
  }
  table.columns.push_back({"notes", "", "what its report notes"});
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    const SweepResults::Run& run = results.runs[r];
    std::vector<Value> row = axis_cells(config, plan.points[plan.runs[r].point]);
    row.emplace_back(std::to_string(plan.runs[r].seed));
    row.emplace_back(std::string(word(run.status)));
    row.emplace_back(run.message);
    for (const auto& v : run.values) row.push_back(to_value(v));
    row.emplace_back(run.notes_text());
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table summary_table(const SweepConfig& config, const SweepPlan& plan, const SweepResults& results) {
  Table table{"summary", "Summary", "One line per point: over its seeds.", axis_columns(config), {}};
  table.columns.push_back({"seeds", "1", "runs that ended well"});
  for (const MetricColumn& c : results.columns) {
    const std::string key = c.key(config);
    table.columns.push_back({key + "_mean", c.unit, "mean over the seeds"});
    table.columns.push_back({key + "_stddev", c.unit, "standard deviation of the sample"});
    table.columns.push_back({key + "_ci95", c.unit, "half width of the 95% confidence interval of the mean"});
  }
  table.columns.push_back({"noted", "1", "runs whose report has notes"});
  const std::size_t seeds = config.seeds.size();
  for (std::size_t p = 0; p < plan.points.size(); ++p) {
    std::vector<Value> row = axis_cells(config, plan.points[p]);
    const auto first = results.runs.begin() + static_cast<std::ptrdiff_t>(p * seeds);
    row.emplace_back(std::int64_t{std::count_if(first, first + static_cast<std::ptrdiff_t>(seeds), [](const auto& run) {
      return run.status == SweepResults::Run::Status::done;
    })});
    for (std::size_t c = 0; c < results.columns.size(); ++c) {
      const SampleSummary summary = samples(config, results, p, c);
      row.push_back(to_value(summary.mean()));
      row.push_back(to_value(summary.stddev()));
      row.push_back(to_value(summary.ci95_half_width()));
    }
    row.emplace_back(std::int64_t{std::count_if(first, first + static_cast<std::ptrdiff_t>(seeds),
                                                [](const auto& run) { return !run.notes.empty(); })});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace weft
