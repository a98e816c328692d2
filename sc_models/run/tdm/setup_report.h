#pragma once
// The figures of a run in which circuits come and go.

#include "fabrics/tdm/setup/setup_network.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_report.h"

namespace weft {

/// Requests, refusals, words and times of all flows; tables of flows, of circuits and of failures.
void add_setup_figures(const TdmPlatform& platform, const SetupNetwork& network, ReportData& report);
/// Facts known before the run.
void add_setup_plan(const TdmPlatform& platform, const SetupPlan& plan, ReportData& report);

}  // namespace weft
