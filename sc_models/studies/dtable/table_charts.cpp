#include "studies/dtable/table_charts.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft {
namespace {

constexpr double kErrorUnit = 1e6;  // ppm

// One box per entry in the row of its service level, as long as one entry, with its weight.
Chart entries_chart(const TableRequest& request, const TablePlan& plan, const WeightPlan& chosen) {
  Chart chart;
  chart.title = "Entries of the table";
  chart.x.label = "entry";
  chart.x.min = 0;
  chart.x.max = request.entries;
  chart.y.label = "service level";
  for (std::size_t l = 0; l < request.levels.size(); ++l) {
    chart.y.categories.push_back(request.levels[l].name);
    chart.groups.push_back(request.levels[l].name);
    for (const std::uint32_t p : plan.positions[l]) {
      chart.boxes.push_back(
          {l, static_cast<double>(p), static_cast<double>(p) + 1, std::to_string(chosen.table[p].weight), l});
    }
  }
  return chart;
}

Chart by_level(const TableRequest& request, std::string title, std::string label, std::string unit) {
  Chart chart;
  chart.title = std::move(title);
  chart.x.label = "service level";
  chart.y.label = std::move(label);
  chart.y.unit = std::move(unit);
  for (const LevelRequest& l : request.levels) chart.x.categories.push_back(l.name);
  return chart;
}

template <class Of>
ChartSeries bars(const TableRequest& request, std::string name, Of of) {
  ChartSeries series{std::move(name), SeriesStyle::bars, {}};
  for (std::size_t l = 0; l < request.levels.size(); ++l) series.points.push_back({static_cast<double>(l), of(l)});
  return series;
}

}  // namespace

std::vector<TablePicture> table_pictures(const TableRequest& request, const TablePlan& plan, const WeightPlan& chosen,
                                         const std::vector<double>& wait_times) {
  Chart shares = by_level(request, "Share of the link", "share", "");
  shares.series = {bars(request, "wanted", [&](std::size_t l) { return plan.wanted[l]; }),
                   bars(request, "got", [&](std::size_t l) { return plan.wanted[l] + chosen.errors[l]; })};
  Chart errors = by_level(request, "Error of the share", "share got - share wanted", "ppm");
  errors.series = {bars(request, "method optimal", [&](std::size_t l) { return plan.optimal.errors[l] * kErrorUnit; }),
                   bars(request, "method paper", [&](std::size_t l) { return plan.paper.errors[l] * kErrorUnit; })};
  Chart waits = by_level(request, "Longest wait of a message at the head of its queue", "wait", "ns");
  waits.series = {bars(request, "", [&](std::size_t l) { return wait_times[l]; })};
  return {
      {"entries", "Places of each service level, with the weight of each entry.", entries_chart(request, plan, chosen)},
      {"shares", "Part of all weights of the table, beside the share asked for.", std::move(shares)},
      {"errors", "How far both methods miss the shares.", std::move(errors)},
      {"waits", "While all other service levels send as much as their entries allow.", std::move(waits)}};
}

}  // namespace weft
