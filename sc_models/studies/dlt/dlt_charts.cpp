#include "studies/dlt/dlt_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

using dlt::CurvePoint;
using dlt::NodeIndex;
using dlt::Study;

constexpr std::size_t kMostChartRows = 40;
constexpr std::size_t kMostLines = 7;  // colours of a chart
constexpr std::uint32_t kNoRow = 0xffffffff;

// Groups of the boxes.
constexpr std::size_t kReceive = 0;
constexpr std::size_t kCompute = 1;
constexpr std::size_t kRelay = 2;

// Nodes in the order of the rows: by distance, then number.
std::vector<NodeIndex> rows_of(const Study& study, const std::vector<double>& finish) {
  std::vector<NodeIndex> nodes(study.network.nodes.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::erase_if(nodes, [&](NodeIndex n) { return finish[n] <= 0; });
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](NodeIndex a, NodeIndex b) { return study.distance[a] < study.distance[b]; });
  if (nodes.size() <= kMostChartRows) return nodes;
  std::vector<NodeIndex> last;
  for (const NodeIndex n : nodes) {
    if (last.empty() || study.distance[last.back()] != study.distance[n]) {
      last.push_back(n);
    } else if (finish[n] > finish[last.back()]) {
      last.back() = n;
    }
  }
  if (last.size() > kMostChartRows) last.resize(kMostChartRows);
  return last;
}

// A series is drawn where it is there: the closed form ends where its sigma reaches 1. Every other one is dashed, so
// that of two that coincide both are seen.
template <class Get>
void add_series(Chart& chart, const std::string& name, const std::vector<CurvePoint>& curve, Get get) {
  ChartSeries s{name, SeriesStyle::lines, {}, false};
  for (const CurvePoint& p : curve) {
    const std::optional<double> y = get(p);
    if (y) s.points.push_back({p.sigma, y});
  }
  if (s.points.empty()) return;
  s.dashed = chart.series.size() % 2 == 1;
  chart.series.push_back(std::move(s));
}

Chart over_sigma(std::string title, std::string y) {
  Chart chart;
  chart.title = std::move(title);
  chart.x.label = "sigma";
  chart.x.min = 0;
  chart.x.max = 1;
  chart.y.label = std::move(y);
  chart.y.min = 0;
  return chart;
}

Chart shares_chart(const Study& study, const std::vector<CurvePoint>& curve) {
  Chart chart = over_sigma("Share of one node by its distance, " + study.network.name, "part of the load");
  const std::size_t lines = std::min(study.counts.size(), kMostLines);
  for (std::size_t d = 0; d < lines; ++d) {
    add_series(chart, fmt::format("distance {}", d), curve,
               [&](const CurvePoint& p) { return d < p.shares.size() ? std::optional(p.shares[d]) : std::nullopt; });
  }
  return chart;
}

Chart speedup_chart(const Study& study, const std::vector<CurvePoint>& curve) {
  Chart chart = over_sigma("Speedup, " + study.network.name, "speedup");
  add_series(chart, "bound", curve, [](const CurvePoint& p) { return std::optional(p.bound); });
  add_series(chart, "best under link capacity", curve, [](const CurvePoint& p) { return p.flow; });
  add_series(chart, "closed form", curve, [](const CurvePoint& p) { return p.predicted; });
  add_series(chart, "its shares, simulated", curve, [](const CurvePoint& p) { return p.simulated; });
  add_series(chart, "best, one message per node", curve, [](const CurvePoint& p) { return p.branches; });
  return chart;
}

Chart timing(std::string title) {
  Chart chart;
  chart.title = std::move(title);
  chart.x.label = "time";
  chart.x.unit = "w*Tcp";
  chart.groups = {"receives its share", "computes"};
  return chart;
}

void add_box(Chart& chart, std::size_t row, double begin, double end, std::size_t group) {
  const BoxLane height = group == kCompute ? BoxLane::lower : BoxLane::upper;
  chart.boxes.push_back({row, begin, end, {}, group, height});
}

// What the closed form takes for granted: one row per distance.
Chart predicted_timing(const DltConfig& config, const Study& study) {
  std::vector<double> times;  // to compute the shares
  for (const double share : study.predicted->closed.shares) times.push_back(share * study.reference);
  Chart chart = timing("Closed form, one node of each distance, " + study.network.name);
  // A share crosses its last link in sigma * share; the shares before it went over that link to be relayed, under
  // store and forward twice, once per hop.
  const bool whole = config.switching != DltSwitching::cut_through;
  double arrival = 0;
  for (std::size_t d = 0; d < std::min(times.size(), kMostChartRows); ++d) {
    chart.y.categories.push_back(d == 0 ? "injection" : fmt::format("distance {}", d));
    const double transfer = d == 0 ? 0 : study.predicted->sigma * times[d];
    if (d > 0) {
      if (whole && d > 1) arrival += transfer;  // over the hop before
      add_box(chart, d, arrival, arrival + transfer, kReceive);
    }
    const bool after = config.switching == DltSwitching::store_and_forward;
    const double start = after ? arrival + transfer : arrival;
    add_box(chart, d, start, start + times[d], kCompute);
    arrival += transfer;
  }
  return chart;
}

Chart simulated_timing(const Study& study, const dlt::SimulatedShares& simulated, const std::string& title) {
  const dlt::Distribution& run = simulated.distribution;
  Chart chart = timing(title + ", " + study.network.name);
  chart.groups.emplace_back("receives what it relays");
  std::vector<std::uint32_t> row(study.network.nodes.size(), kNoRow);
  for (const NodeIndex n : rows_of(study, run.finish)) {
    row[n] = static_cast<std::uint32_t>(chart.y.categories.size());
    chart.y.categories.push_back("node " + study.network.node_name(n));
  }
  for (const dlt::Activity& a : run.transfers) {
    const NodeIndex to = study.network.links[a.place].to;
    if (row[to] == kNoRow) continue;
    add_box(chart, row[to], a.start, a.end, simulated.messages[a.message].node == to ? kReceive : kRelay);
  }
  for (const dlt::Activity& a : run.computations) {
    if (row[a.place] != kNoRow) add_box(chart, row[a.place], a.start, a.end, kCompute);
  }
  return chart;
}

}  // namespace

std::vector<DltPicture> dlt_pictures(const DltConfig& config, const Study& study,
                                     const std::vector<CurvePoint>& curve) {
  std::vector<DltPicture> out{{"speedup", "speedup over sigma", speedup_chart(study, curve)}};
  if (study.predicted) {
    out.push_back({"shares", "shares over sigma", shares_chart(study, curve)});
    out.push_back({"timing_predicted", "timing assumed by the closed form", predicted_timing(config, study)});
    out.push_back({"timing_simulated", "timing of its shares over real links",
                   simulated_timing(study, *study.simulated, "Shares of the closed form, simulated")});
  }
  if (study.branches) {
    out.push_back({"timing_messages", "timing of the best single messages",
                   simulated_timing(study, study.branches->simulated, "Best single messages")});
  }
  return out;
}

}  // namespace weft
