#pragma once
// Boards of a FiC network in its plan: links that a board has, load of the units that take what nodes receive, and the
// section of the report.

#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "network/graph.h"
#include "observe/report.h"

namespace weft {

/// Reports the first switch with more links to other switches than a board has, and, where circuits come and go, units
/// that are slower than the links of their nodes.
void check_board(const TdmConfig& config, const Graph& graph, Diagnostics& diagnostics);

/// Throws InputError when the circuits of a phase bring a node, or a board that shares its units, more than its unit
/// takes: slots times the rate of one; and when a board takes so much that nothing is left for what it sends.
void check_board_sinks(const TdmConfig& config, const Graph& graph, const std::vector<PhasePlan>& phases);

/// Section `board`, if the network has boards.
void add_board(const TdmConfig& config, const Graph& graph, ReportData& report);

}  // namespace weft
