#pragma once
// The part of the report on circuits that come and go that is about failures: what each one did, and to which flows.

#include "fabric/tdm/setup/setup_network.h"
#include "run/fic_platform.h"
#include "stats/statistic.h"

namespace weft {

/// Before a run: what fails, and when.
Table planned_faults(const FicPlatform& platform, const SetupPlan& plan);
/// Notes on failures that overlap.
void add_fault_notes(const FicPlatform& platform, ReportData& report);
/// After a run: the tables `faults` and `fault_flows`, and notes on failures that came too late to do anything.
/// `end`: of the run, for what lasts until then.
void add_fault_figures(const FicPlatform& platform, const SetupNetwork& network, Cycle end, ReportData& report);

}  // namespace weft
