// The page of a comparison, as those of reports: tiles with what has changed, a chart, and tables.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/compare/comparison.h"
#include "observe/columns.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "observe/values.h"
#include "observe/vocabulary.h"

namespace weft::cli {
namespace {

constexpr std::size_t kMostBars = 24;
constexpr double kLongestBar = 300;  // percent
// How sure a mean is says nothing of the networks.
constexpr std::array kUnsureness{"half_width", "batch_correlation", "batches"};

Value value_of(const nlohmann::ordered_json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return json.is_null() ? Value{} : Value{json.dump()};
}

Value percent(const std::optional<double>& relative) { return relative ? Value{100 * *relative} : Value{}; }

// The last words of a place: "run.latency_mean".
std::string short_place(const std::string& place) {
  const std::size_t dot = place.find('.');
  return dot == std::string::npos ? place : place.substr(dot + 1);
}

using LinkUse = std::map<std::string, double>;

// Utilization by link of a report that has it.
LinkUse link_use(const nlohmann::ordered_json& report) {
  LinkUse out;
  if (!report.contains("tables") || !report["tables"].contains("links")) return out;
  const std::string& use = vocabulary::kUtilization.key;
  for (const auto& row : report["tables"]["links"].value("rows", nlohmann::ordered_json::array())) {
    if (!row.contains("link") || !row.contains(use) || !row[use].is_number()) continue;
    double& known = out[row["link"].get<std::string>()];
    known = std::max(known, row[use].get<double>());
  }
  return out;
}

class Page {
 public:
  explicit Page(const Comparison& comparison) : c_(comparison) {}

  ReportData make(const std::optional<NetworkView>& network) const {
    ReportData out;
    out.title = fmt::format("Comparison of {} reports", c_.reports.size());
    out.has_seed = false;
    for (const ComparedReport& r : c_.reports) {
      out.config_file += fmt::format("{}{}: {}", out.config_file.empty() ? "" : ", ", r.name, r.path);
    }
    out.notes = c_.notes;
    out.sections.push_back(summary());
    out.tables.push_back(reports());
    if (c_.programs) out.tables.push_back(programs());
    out.tables.push_back(configuration());
    out.tables.push_back(
        figures({"figures", "Figures", "The figures of the reports that answer most questions."}, true));
    out.tables.push_back(figures({"others", "Other figures", "Every other figure that all reports have."}, false));
    add_chart(out);
    if (network) {
      page_of(out).network = *network;
      if (same_network()) add_links(out);
    }
    return out;
  }

 private:
  std::int64_t beyond() const {
    return std::count_if(c_.figures.begin(), c_.figures.end(), [&](const ComparedFigure& f) {
      for (std::size_t r = 1; r < c_.reports.size(); ++r) {
        if (f.beyond(r).value_or(false)) return true;
      }
      return false;
    });
  }

  // What has changed most often matters: times, loads, latencies of everything.
  ReportSection summary() const {
    ReportSection s{"comparison", "Comparison", {}};
    static constexpr std::array kAnswers{"sections.run.time", "sections.run.accepted", "sections.run.latency_mean",
                                         "sections.run.latency_p99"};
    for (const char* place : kAnswers) {
      const auto f = std::find_if(c_.figures.begin(), c_.figures.end(),
                                  [&](const ComparedFigure& figure) { return figure.place == place; });
      if (f == c_.figures.end()) continue;
      const std::string key = f->place.substr(f->place.rfind('.') + 1);
      for (std::size_t r = 1; r < std::min<std::size_t>(3, c_.reports.size()); ++r) {
        if (!f->relative(r)) continue;
        s.figures.push_back({{fmt::format("{}_of_{}", key, c_.reports[r].name), "%",
                              fmt::format("{}: difference of {} from {}, over that of {}", f->definition,
                                          c_.reports[r].name, c_.reports[0].name, c_.reports[0].name)},
                             100 * *f->relative(r),
                             true});
      }
    }
    const auto same = std::count_if(c_.figures.begin(), c_.figures.end(), [](const auto& f) { return f.same(); });
    s.figures.push_back({{"figures", "1", "that all reports have"}, whole(c_.figures.size()), true});
    s.figures.push_back({{"equal", "1", "of them with the same value in all reports"}, std::int64_t{same}, true});
    s.figures.push_back(
        {{"beyond_intervals", "1", "of them that differ by more than the confidence intervals of both reports explain"},
         beyond(),
         true});
    s.figures.push_back(
        {{"keys", "1", "of the configuration whose values differ"}, whole(c_.configuration.size()), true});
    return s;
  }

  Table reports() const {
    const Columns<ComparedReport> columns{{{"report", "", "its name here"}, &ComparedReport::name},
                                          {{"path", "", "where it is"}, &ComparedReport::path},
                                          {{"title", "", "of its configuration"}, &ComparedReport::title}};
    return make_table({"reports", "Reports", "The others are held against the first."}, columns, c_.reports);
  }

  Table programs() const {
    Columns<ProgramTable::Row> columns{{{"program", "", "its file"}, &ProgramTable::Row::program}};
    for (std::size_t n = 0; n < c_.programs->networks.size(); ++n) {
      columns.emplace_back(Statistic{c_.programs->networks[n], "ns", "time of the program on that network"},
                           [n](const ProgramTable::Row& r) { return r.times[n]; });
    }
    return make_table({"programs", "Programs", "Times of programs by network."}, columns, c_.programs->rows);
  }

  Table configuration() const {
    Columns<ConfigDifference> columns{{{"key", "", "of the configuration"}, &ConfigDifference::key}};
    for (std::size_t r = 0; r < c_.reports.size(); ++r) {
      columns.emplace_back(Statistic{c_.reports[r].name, "", "its value there"},
                           [r](const ConfigDifference& d) { return d.values[r]; });
    }
    return make_table({"configuration", "Configuration", "Keys whose values differ."}, columns, c_.configuration);
  }

  Table figures(TableName name, bool main) const {
    std::vector<ComparedFigure> rows;
    std::copy_if(c_.figures.begin(), c_.figures.end(), std::back_inserter(rows),
                 [&](const ComparedFigure& f) { return f.is_main == main; });
    Columns<ComparedFigure> columns{{{"figure", "", "its place in the reports"}, &ComparedFigure::place},
                                    {{"unit", "", "of its values"},
                                     [](const ComparedFigure& f) { return f.unit == "1" ? std::string() : f.unit; }}};
    for (std::size_t r = 0; r < c_.reports.size(); ++r) {
      const std::string& report = c_.reports[r].name;
      columns.emplace_back(Statistic{report, "", "its value there"},
                           [r](const ComparedFigure& f) { return value_of(f.values[r]); });
      if (r == 0) continue;
      columns.emplace_back(Statistic{report + "_difference", "", "from the first report"},
                           [r](const ComparedFigure& f) { return f.difference(r); });
      columns.emplace_back(Statistic{report + "_relative", "%", "the same over the value of the first report"},
                           [r](const ComparedFigure& f) { return percent(f.relative(r)); });
      columns.emplace_back(
          Statistic{report + "_beyond", "", "the difference is larger than the confidence intervals of both explain"},
          [r](const ComparedFigure& f) -> Value {
            const auto beyond = f.beyond(r);
            return beyond ? Value{std::string(*beyond ? "beyond" : "within")} : Value{};
          });
    }
    return make_table(std::move(name), columns, rows);
  }

  bool same_network() const {
    return std::none_of(c_.configuration.begin(), c_.configuration.end(), [](const ConfigDifference& d) {
      return d.key == "fabric" || d.key == "nodes" || d.key.starts_with("topology");
    });
  }

  // Use of the links, which colours the picture of the network: reports leave out what carried nothing.
  void add_links(ReportData& report) const {
    struct Row {
      std::string link;
      std::vector<double> use;  // by report
    };
    std::map<std::string, std::vector<double>> uses;
    for (std::size_t r = 0; r < c_.reports.size(); ++r) {
      for (const auto& [link, use] : link_use(c_.reports[r].content)) {
        uses.try_emplace(link, c_.reports.size()).first->second[r] = use;
      }
    }
    if (uses.empty()) return;
    std::vector<Row> rows;
    for (auto& [link, use] : uses) rows.push_back({link, std::move(use)});
    Columns<Row> columns{{vocabulary::kLink, &Row::link}};
    for (std::size_t r = 0; r < c_.reports.size(); ++r) {
      const std::string& name = c_.reports[r].name;
      columns.emplace_back(Statistic{name, "%", "its utilization there, of several phases the largest"},
                           [r](const Row& row) { return row.use[r]; });
      if (r == 0) continue;
      columns.emplace_back(Statistic{name + "_difference", "%", "from the first report, in percent of the link"},
                           [r](const Row& row) { return row.use[r] - row.use[0]; });
    }
    report.tables.push_back(
        make_table({"links", "Links", "Utilization of each link that carried something in a report."}, columns, rows));
  }

  // Main figures that differ, those that differ most first.
  void add_chart(ReportData& report) const {
    struct Bar {
      const ComparedFigure* figure;
      double most;
    };
    std::vector<Bar> bars;
    for (const ComparedFigure& f : c_.figures) {
      double most = 0;
      for (std::size_t r = 1; r < c_.reports.size(); ++r) most = std::max(most, std::abs(f.relative(r).value_or(0)));
      const bool drawn = std::none_of(kUnsureness.begin(), kUnsureness.end(),
                                      [&](const char* key) { return f.place.ends_with(std::string(".") + key); });
      if (f.is_main && drawn && most > 0 && std::isfinite(most)) bars.push_back({&f, most});
    }
    if (bars.empty()) return;
    std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.most > b.most; });
    const std::size_t all = bars.size();
    bars.resize(std::min(bars.size(), kMostBars));
    ChartView view{"differences",
                   fmt::format("Figures against those of {}; of all {} that differ the {} that differ most.",
                               c_.reports.front().name, all, bars.size()),
                   {}};
    Chart& chart = view.chart;
    if (100 * bars.front().most > kLongestBar) {
      view.meaning += fmt::format(" Bars end at {} %.", kLongestBar);
      chart.y.max = kLongestBar;
    }
    chart.title = "Differences";
    chart.y.label = "difference";
    chart.y.unit = "%";
    for (const Bar& b : bars) chart.x.categories.push_back(short_place(b.figure->place));
    for (std::size_t r = 1; r < c_.reports.size(); ++r) {
      ChartSeries series{c_.reports[r].name, SeriesStyle::bars, {}};
      for (std::size_t i = 0; i < bars.size(); ++i) {
        const std::optional<double> relative = bars[i].figure->relative(r);
        series.points.push_back({static_cast<double>(i), relative ? std::optional(100 * *relative) : std::nullopt});
      }
      chart.series.push_back(std::move(series));
    }
    page_of(report).charts.push_back(std::move(view));
  }

  const Comparison& c_;
};

}  // namespace

std::string comparison_html(const Comparison& comparison, const std::optional<NetworkView>& network) {
  return report_html(Page(comparison).make(network));
}

}  // namespace weft::cli
