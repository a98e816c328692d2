#pragma once
// Wavelength plan, power budget, origins and sensitivity of `weft optweb cost` as figures, tables, charts and text.

#include <string>
#include <vector>

#include "algorithms/optweb/cost.h"
#include "observe/plot.h"
#include "observe/statistic.h"

namespace weft {

ReportSection light_figures(const OptwebCostConfig& config, const optweb::LightPlan& plan);
/// Stages of the weakest link; fibres with their wavelengths; links with wavelengths, received power and margin.
std::vector<Table> light_tables(const OptwebCostConfig& config, const optweb::LightPlan& plan);
/// Spare power of the weakest link over the number of nodes.
Chart light_chart(const OptwebCostConfig& config);
/// Budget of the weakest link as aligned text and, of few nodes, who reaches whom with which wavelength.
std::string light_text(const OptwebCostConfig& config, const optweb::LightPlan& plan);

/// Each figure that results follow from, with its origin.
Table inputs_table(const OptwebCostConfig& config);
/// What each price moves.
Table sensitivity_table(const OptwebCostConfig& config);

}  // namespace weft
