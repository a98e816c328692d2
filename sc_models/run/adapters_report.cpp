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

void add_adapters(const std::vector<AdapterConfig>& adapters, const Graph& graph, Duration period, ReportData& report) {
  if (adapters.empty()) return;
  struct Row {
    const AdapterConfig& adapter;
    std::size_t links;
  };
  std::vector<Row> rows;
  for (const AdapterConfig& a : adapters) rows.push_back({a, 2 * cables_of(a.place, graph).size()});
  const Columns<Row> columns{{{"at", "", "place of the adapters"}, [](const Row& r) { return r.adapter.place.text; }},
                             {{"links", "1", "directed links with one"}, [](const Row& r) { return r.links; }},
                             {{"delay", "cycles", "that it adds to each of them, for data as for credits"},
                              [](const Row& r) { return r.adapter.delay; }},
                             {{"delay_ns", "ns", "the same"},
                              [&](const Row& r) { return static_cast<double>(r.adapter.delay * period.ps) / 1000.0; }}};
  report.tables.push_back(
      make_table({"adapters", "Adapters", "One line per entry of adapters: links that are longer than the others."},
                 columns, rows));
}

}  // namespace weft
