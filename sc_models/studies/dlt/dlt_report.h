#pragma once
// The figures of a divisible-load study: prediction, simulation and linear program side by side.

#include "algorithms/dlt/study.h"
#include "observe/report.h"

namespace weft {

/// Sections and tables (nodes, links) of a study, and its curve when there is one.
ReportData dlt_report(const DltConfig& config, const dlt::Study& study, const std::vector<dlt::CurvePoint>& curve);

}  // namespace weft
