#pragma once
// Report of a run in which circuits come and go: its figures, and the part about failures, what each one did and to
// which flows.

#include "fabrics/tdm/setup/setup_network.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_report.h"

namespace weft {

/// Load and latency, then what add_setup_results() adds.
void add_setup_figures(const TdmPlatform& platform, const SetupNetwork& network, ReportData& report);
/// Requests, refusals, words and times of all flows; tables of flows, of circuits and of failures. `end`: of the run.
void add_setup_results(const TdmPlatform& platform, const SetupNetwork& network, Cycle end, ReportData& report);
/// Facts known before the run.
void add_setup_plan(const TdmPlatform& platform, const SetupPlan& plan, ReportData& report);

/// Before a run: what fails, and when.
Table planned_faults(const TdmPlatform& platform, const SetupPlan& plan);
/// Notes on failures that overlap.
void add_fault_notes(const TdmPlatform& platform, ReportData& report);
/// After a run: the tables `faults` and `fault_flows`, and notes on failures that came too late to do anything.
/// `end`: of the run, for what lasts until then.
void add_fault_figures(const TdmPlatform& platform, const SetupNetwork& network, Cycle end, ReportData& report);

}  // namespace weft
