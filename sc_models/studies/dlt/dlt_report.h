#pragma once
// The figures of a divisible-load study: prediction, simulation and linear program side by side.

#include "algorithms/dlt/study.h"
#include "observe/plot.h"
#include "observe/report.h"

namespace weft {

/// Sections and tables (nodes, links) of a study, and its curve when there is one.
ReportData dlt_report(const DltConfig& config, const dlt::Study& study, const std::vector<dlt::CurvePoint>& curve);

// The pictures of a divisible-load study: lines over sigma, and timing diagrams of one row per node, communication in
// the upper half of the row and computing in the lower, as in the paper's Figures 3 and 6.

struct DltPicture {
  std::string name;  ///< of the file, without ending
  std::string meaning;
  Chart chart;
};

/// Those that the study has answers for. Shares are of one node by distance (the paper's Figure 4), for at most seven
/// distances; a simulation of more than 40 nodes shows the one of each distance that finishes last.
std::vector<DltPicture> dlt_pictures(const DltConfig& config, const dlt::Study& study,
                                     const std::vector<dlt::CurvePoint>& curve);

}  // namespace weft
