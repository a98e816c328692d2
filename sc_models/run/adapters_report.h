#pragma once
// Adapters on links as reports have them; nothing where there are none.

#include <vector>

#include "network/graph.h"
#include "network/link_adapters.h"
#include "observe/report.h"

namespace weft {

/// Adds the number of links with an adapter to the section of the network. `delays`: as adapter_delays().
void add_adapters(const std::vector<Cycle>& delays, ReportSection& network);

/// Adds the table `adapters`. `period`: of a cycle. `nodes_have_links`: else those to nodes in the graph are none.
void add_adapters(const std::vector<AdapterConfig>& adapters, const Graph& graph, Duration period, ReportData& report,
                  bool nodes_have_links = true);

}  // namespace weft
