#include "dlt/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace weft::dlt {
namespace {

constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostLines = 8;
constexpr std::uint32_t kNoRow = 0xffffffff;

// Nodes in the order of the rows: by distance, then number.
std::vector<NodeIndex> rows_of(const Study& study, const std::vector<double>& finish) {
  std::vector<NodeIndex> nodes(study.network.nodes.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::erase_if(nodes, [&](NodeIndex n) { return finish[n] <= 0; });
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](NodeIndex a, NodeIndex b) { return study.distance[a] < study.distance[b]; });
  if (nodes.size() <= kMostRows) return nodes;
  std::vector<NodeIndex> last;
  for (const NodeIndex n : nodes) {
    if (last.empty() || study.distance[last.back()] != study.distance[n]) {
      last.push_back(n);
    } else if (finish[n] > finish[last.back()]) {
      last.back() = n;
    }
  }
  if (last.size() > kMostRows) last.resize(kMostRows);
  return last;
}

template <class Get>
void add_series(LineChart& chart, const std::string& name, const std::vector<CurvePoint>& curve, Get get) {
  Series s{name, {}, {}};
  for (const CurvePoint& p : curve) {
    const std::optional<double> y = get(p);
    if (!y) return;
    s.x.push_back(p.sigma);
    s.y.push_back(*y);
  }
  chart.series.push_back(std::move(s));
}

}  // namespace

LineChart shares_chart(const Study& study, const std::vector<CurvePoint>& curve) {
  LineChart chart{"Share of one node by its distance, " + study.network.name, "sigma", "part of the load", {}};
  const std::size_t lines = std::min(study.counts.size(), kMostLines);
  for (std::size_t d = 0; d < lines; ++d) {
    add_series(chart, fmt::format("distance {}", d), curve,
               [&](const CurvePoint& p) { return d < p.shares.size() ? std::optional(p.shares[d]) : std::nullopt; });
  }
  return chart;
}

LineChart speedup_chart(const Study& study, const std::vector<CurvePoint>& curve) {
  LineChart chart{"Speedup, " + study.network.name, "sigma", "speedup", {}};
  add_series(chart, "bound", curve, [](const CurvePoint& p) { return std::optional(p.bound); });
  add_series(chart, "best under link capacity", curve, [](const CurvePoint& p) { return p.flow; });
  add_series(chart, "closed form", curve, [](const CurvePoint& p) { return p.predicted; });
  add_series(chart, "its shares, simulated", curve, [](const CurvePoint& p) { return p.simulated; });
  add_series(chart, "best, one message per node", curve, [](const CurvePoint& p) { return p.branches; });
  return chart;
}

Gantt predicted_gantt(const DltConfig& config, const Study& study) {
  const std::vector<double>& shares = study.predicted->closed.shares;
  Gantt gantt{"Closed form, one node of each distance, " + study.network.name, {}, {}};
  // A share crosses its last link in sigma * share; the shares before it went over that link to be relayed, under
  // store and forward twice, once per hop.
  const bool whole = config.switching != DltSwitching::cut_through;
  double arrival = 0;
  for (std::size_t d = 0; d < std::min(shares.size(), kMostRows); ++d) {
    gantt.rows.push_back(d == 0 ? "injection" : fmt::format("distance {}", d));
    const double transfer = d == 0 ? 0 : config.sigma * shares[d];
    if (d > 0) {
      if (whole && d > 1) arrival += transfer;  // over the hop before
      gantt.boxes.push_back({d, arrival, arrival + transfer, BoxKind::receive});
    }
    const bool after = config.switching == DltSwitching::store_and_forward;
    const double start = after ? arrival + transfer : arrival;
    gantt.boxes.push_back({d, start, start + shares[d], BoxKind::compute});
    arrival += transfer;
  }
  return gantt;
}

Gantt simulated_gantt(const Study& study, const SimulatedShares& simulated, const std::string& title) {
  const Distribution& run = simulated.distribution;
  Gantt gantt{title + ", " + study.network.name, {}, {}};
  std::vector<std::uint32_t> row(study.network.nodes.size(), kNoRow);
  for (const NodeIndex n : rows_of(study, run.finish)) {
    row[n] = static_cast<std::uint32_t>(gantt.rows.size());
    gantt.rows.push_back("node " + study.network.node_name(n));
  }
  for (const Activity& a : run.transfers) {
    const NodeIndex to = study.network.links[a.place].to;
    if (row[to] == kNoRow) continue;
    const BoxKind kind = simulated.messages[a.message].node == to ? BoxKind::receive : BoxKind::relay;
    gantt.boxes.push_back({row[to], a.start, a.end, kind});
  }
  for (const Activity& a : run.computations) {
    if (row[a.place] != kNoRow) gantt.boxes.push_back({row[a.place], a.start, a.end, BoxKind::compute});
  }
  return gantt;
}

}  // namespace weft::dlt
