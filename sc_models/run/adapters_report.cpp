#include "run/adapters_report.h"

#include <algorithm>

#include "observe/columns.h"

namespace weft {

void add_adapters(const std::vector<Cycle>& delays, ReportSection& network) {
  if (delays.empty()) return;
  const auto links = std::count_if(delays.begin(), delays.end(), [](Cycle delay) { return delay > 0; });
  network.figures.push_back({{"adapters", "1", "directed links with an adapter, which are longer than the others"},
                             static_cast<std::int64_t>(links),
                             true});
}

void add_adapters(const std::vector<AdapterConfig>& adapters, const Graph& graph, Duration period, ReportData& report,
                  bool nodes_have_links) {
  if (adapters.empty()) return;
  struct Row {
    const AdapterConfig& adapter;
    std::size_t links;
  };
  std::vector<Row> rows;
  for (const AdapterConfig& a : adapters) {
    const std::vector<LinkId> cables = cables_of(a.place, graph);
    const auto counts = [&](LinkId c) {
      return nodes_have_links || graph.node_at(graph.driver(c).sw, graph.driver(c).port) == kNoId;
    };
    rows.push_back({a, 2 * static_cast<std::size_t>(std::count_if(cables.begin(), cables.end(), counts))});
  }
  const Columns<Row> columns{{{"at", "", "place of the adapters"}, [](const Row& r) { return r.adapter.place.text; }},
                             {{"links", "1", "directed links with one"}, [](const Row& r) { return r.links; }},
                             {{"delay", "cycles", "that it adds to each of them, in both directions"},
                              [](const Row& r) { return r.adapter.delay; }},
                             {{"delay_ns", "ns", "the same"},
                              [&](const Row& r) { return static_cast<double>(r.adapter.delay * period.ps) / 1000.0; }}};
  report.tables.push_back(
      make_table({"adapters", "Adapters", "One line per entry of adapters: links that are longer than the others."},
                 columns, rows));
}

}  // namespace weft
