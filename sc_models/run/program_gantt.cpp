#include "run/program_gantt.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft {
namespace {

constexpr std::size_t kMostNodes = 128;
constexpr std::size_t kMostBoxes = 12'000;

// Spans one after the other in the same group are one.
std::vector<NodeSpan> joined(const std::vector<NodeSpan>& spans) {
  std::vector<NodeSpan> out;
  for (const NodeSpan& s : spans) {
    if (s.end <= s.begin) continue;
    if (!out.empty() && out.back().group == s.group && out.back().end >= s.begin) {
      out.back().end = std::max(out.back().end, s.end);
    } else {
      out.push_back(s);
    }
  }
  return out;
}

// For each of `periods` between 0 and `end` the group that took most of it.
std::vector<NodeSpan> by_period(const std::vector<NodeSpan>& spans, std::size_t periods, double end) {
  std::vector<std::map<std::size_t, double>> time(periods);
  const double width = end / static_cast<double>(periods);
  for (const NodeSpan& s : spans) {
    auto p = static_cast<std::size_t>(s.begin / width);
    for (; p < periods && static_cast<double>(p) * width < s.end; ++p) {
      const double from = std::max(s.begin, static_cast<double>(p) * width);
      const double to = std::min(s.end, static_cast<double>(p + 1) * width);
      if (to > from) time[p][s.group] += to - from;
    }
  }
  std::vector<NodeSpan> out;
  for (std::size_t p = 0; p < periods; ++p) {
    if (time[p].empty()) continue;
    const auto most =
        std::max_element(time[p].begin(), time[p].end(), [](auto& a, auto& b) { return a.second < b.second; });
    out.push_back(
        {spans.front().node, most->first, static_cast<double>(p) * width, static_cast<double>(p + 1) * width});
  }
  return joined(out);
}

}  // namespace

std::size_t SpanGroups::operator()(const std::string& name) {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at != names_.end()) return static_cast<std::size_t>(at - names_.begin());
  names_.push_back(name);
  return names_.size() - 1;
}

void add_program_gantt(ReportData& report, const std::vector<NodeSpan>& spans, const SpanGroups& groups, bool cut) {
  std::map<NodeId, std::vector<NodeSpan>> nodes;
  double end = 0;
  for (const NodeSpan& s : spans) {
    nodes[s.node].push_back(s);
    end = std::max(end, s.end);
  }
  if (nodes.empty() || end <= 0) return;
  const std::size_t all = nodes.size();
  while (nodes.size() > kMostNodes) nodes.erase(std::prev(nodes.end()));
  const std::size_t most = kMostBoxes / nodes.size();
  ChartView view{"programs", "Which instruction of its program a node is in, by the instruction's name.", {}};
  Chart& chart = view.chart;
  chart.title = "Programs over time";
  chart.x.label = "time";
  chart.x.unit = "ns";
  chart.y.label = "node";
  chart.groups = groups.names();
  bool coarse = false;
  for (auto& [node, own] : nodes) {
    std::vector<NodeSpan> shown = joined(own);
    if (shown.size() > most) {
      shown = by_period(shown, most, end);
      coarse = true;
    }
    for (const NodeSpan& s : shown) {
      chart.boxes.push_back({chart.y.categories.size(), s.begin, s.end, groups.names()[s.group], s.group});
    }
    chart.y.categories.push_back(std::to_string(node));
  }
  if (all > nodes.size()) view.meaning += fmt::format(" The first {} of {} nodes.", nodes.size(), all);
  if (coarse) view.meaning += " Of short instructions the one that took most of a period is shown.";
  if (cut) view.meaning += fmt::format(" The first {} instructions are recorded.", spans.size());
  page_of(report).charts.push_back(std::move(view));
}

}  // namespace weft
