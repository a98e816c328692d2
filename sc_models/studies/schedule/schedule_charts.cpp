// The pictures of `weft schedule`.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/schedule/schedule_study.h"

namespace weft {
namespace {

constexpr std::size_t kMostBoxes = 10'000;
constexpr std::size_t kMostDrawnRows = 256;
constexpr std::size_t kManyRows = 64;  // more: a job's name stands in its first row only
constexpr std::size_t kColours = 6;    // neighbours in time differ

/// Steps over time of one level, one line per policy.
Chart level_chart(const ScheduleStudy& study, const std::string& title, const std::string& label,
                  double (*level)(const TimeProfile::Levels&), double whole) {
  Chart chart;
  chart.title = title;
  chart.x.label = "time";
  chart.y.label = label;
  chart.y.min = 0;
  if (whole > 0) chart.y.max = 1;
  for (const PolicyResult& r : study.results) {
    ChartSeries line{r.policy, SeriesStyle::steps, {}, false, false};
    auto from = static_cast<double>(r.stats->profile.begin());
    double last = 0;
    for (const TimeProfile::Levels& l : r.stats->profile.averages()) {
      last = level(l) / (whole > 0 ? whole : 1);
      line.points.push_back({from, last, 0});
      from += static_cast<double>(r.stats->profile.period());
    }
    line.points.push_back({static_cast<double>(r.stats->profile.end()), last, 0});
    chart.series.push_back(std::move(line));
  }
  return chart;
}

/// Keeps the boxes up to a time at which there are not too many, and says so in the title.
void cut(Chart& chart) {
  if (chart.boxes.size() <= kMostBoxes) return;
  std::stable_sort(chart.boxes.begin(), chart.boxes.end(),
                   [](const ChartBox& a, const ChartBox& b) { return a.begin < b.begin; });
  const double until = chart.boxes[kMostBoxes].begin;
  double end = until;
  for (const ChartBox& b : chart.boxes) end = std::max(end, b.end);
  std::erase_if(chart.boxes, [&](const ChartBox& b) { return b.begin >= until; });
  chart.title += fmt::format(", only jobs started before {} of {}", until, end);
}

Chart node_gantt(const Graph& graph, const PolicyResult& r) {
  Chart chart;
  chart.title = fmt::format("Jobs over nodes, {}", r.policy);
  chart.x.label = "time";
  const std::size_t rows = std::min<std::size_t>(graph.nodes(), kMostDrawnRows);
  if (rows < graph.nodes()) chart.title += fmt::format(", only nodes 0 to {} of {}", rows - 1, graph.nodes());
  for (std::size_t n = 0; n < rows; ++n) chart.y.categories.push_back(fmt::format("node {}", n));
  for (std::size_t j = 0; j < r.schedule->jobs.size(); ++j) {
    const jobs::ScheduledJob& job = r.schedule->jobs[j];
    std::string label = job.id;
    for (const NodeId n : job.nodes) {
      if (n >= rows) continue;
      chart.boxes.push_back(
          {n, static_cast<double>(job.start), static_cast<double>(job.end), label, j % kColours, BoxLane::full});
      if (rows > kManyRows) label.clear();
    }
  }
  cut(chart);
  return chart;
}

Chart link_gantt(const Graph& graph, const ScheduleRequest& request, const PolicyResult& r, LinkId link) {
  Chart chart;
  chart.title = fmt::format("Slots of {}, {}", graph.link_name(link), r.policy);
  chart.x.label = "time";
  const std::size_t rows = std::min<std::size_t>(request.options.slots, kMostDrawnRows);
  if (rows < request.options.slots)
    chart.title += fmt::format(", only slots 0 to {} of {}", rows - 1, request.options.slots);
  for (std::size_t s = 0; s < rows; ++s) chart.y.categories.push_back(fmt::format("slot {}", s));
  for (const jobs::TimedCircuit& c : r.schedule->circuits) {
    const auto on_link = [&](const TreeEdge& e) { return e.link == link; };
    if (std::none_of(c.tree.edges.begin(), c.tree.edges.end(), on_link)) continue;
    const jobs::ScheduledJob& job = r.schedule->jobs[c.job];
    for (const Slot s : c.slots) {
      if (s >= rows) continue;
      chart.boxes.push_back({s, static_cast<double>(job.start), static_cast<double>(job.end),
                             fmt::format("{}/{}", job.id, c.flow), c.job % kColours, BoxLane::full});
    }
  }
  cut(chart);
  return chart;
}

}  // namespace

std::vector<SchedulePicture> schedule_pictures(const Graph& graph, const ScheduleRequest& request,
                                               const ScheduleStudy& study) {
  std::vector<SchedulePicture> out;
  out.push_back({"nodes_over_time", "share of the nodes that run jobs, over time",
                 level_chart(
                     study, "Nodes in use", "share of the nodes", [](const TimeProfile::Levels& l) { return l.nodes; },
                     graph.nodes())});
  out.push_back({"slots_over_time", "share of the slots in use, over time",
                 level_chart(
                     study, "Slots in use", "share of the slots", [](const TimeProfile::Levels& l) { return l.slots; },
                     study.results.front().stats->network_slots())});
  // Few slots of a large network are in use at a time.
  out.back().chart.y.max.reset();
  out.push_back({"waiting_over_time", "jobs that wait, over time",
                 level_chart(
                     study, "Jobs that wait", "jobs", [](const TimeProfile::Levels& l) { return l.waiting; }, 0)});
  for (const PolicyResult& r : study.results) {
    if (!r.schedule || r.schedule->jobs.empty()) continue;
    out.push_back({"gantt_nodes_" + r.policy, "jobs over nodes, " + r.policy, node_gantt(graph, r)});
    const LinkId link = r.stats->busiest_link().link;
    if (link == kNoId) continue;
    out.push_back({"gantt_link_" + r.policy, "slots over time on the busiest link, " + r.policy,
                   link_gantt(graph, request, r, link)});
  }
  return out;
}

}  // namespace weft
