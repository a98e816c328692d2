#pragma once
// The part of the report on circuits that come and go that is about failures: what each one did, and to which flows.

#include "fabrics/tdm/setup/setup_network.h"
#include "observe/statistic.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

/// Before a run: what fails, and when.
Table planned_faults(const TdmPlatform& platform, const SetupPlan& plan);
/// Notes on failures that overlap.
void add_fault_notes(const TdmPlatform& platform, ReportData& report);
/// After a run: the tables `faults` and `fault_flows`, and notes on failures that came too late to do anything.
/// `end`: of the run, for what lasts until then.
void add_fault_figures(const TdmPlatform& platform, const SetupNetwork& network, Cycle end, ReportData& report);

}  // namespace weft
