#pragma once
// What `weft optweb cost` reports and draws.

#include <string>
#include <vector>

#include "algorithms/optweb/cost.h"
#include "observe/plot.h"
#include "observe/report.h"

namespace weft {

/// Sections and tables: costs and their parts, parts of the shared optics, wiring over the number of nodes,
/// dragonflies.
ReportData optweb_cost_report(const OptwebCostConfig& config);

struct CostPicture {
  std::string name;  ///< of the file, without ending
  std::string meaning;
  Chart chart;
};

/// Cost per Gb/s by parts (the paper's Figure 17), cost of the wiring (Figure 18) and fibres over the number of nodes.
std::vector<CostPicture> optweb_cost_pictures(const OptwebCostConfig& config);

/// Costs and wiring as aligned text for the terminal.
std::string optweb_cost_text(const OptwebCostConfig& config);

}  // namespace weft
