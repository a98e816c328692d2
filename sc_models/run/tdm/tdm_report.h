#pragma once
// The figures of a FiC run: which sections and tables the report has. Statistics come from the observers; this file
// puts them in order and adds what the plan and the controller know.

#include "fabrics/tdm/controller.h"
#include "fabrics/tdm/observe/circuit_stats.h"
#include "fabrics/tdm/observe/link_stats.h"
#include "observe/report.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

/// Title, seed, implementations; no figures yet.
ReportData tdm_report_header(const TdmConfig& config);
/// The network alone.
void add_network_figures(const TdmPlatform& platform, ReportData& report);
/// Network and slot figures: everything known before the run.
void add_plan_figures(const TdmPlatform& platform, ReportData& report);
/// Facts known of phases, circuits and links before the run: slots, bandwidths, predicted latencies.
void add_plan_tables(const TdmPlatform& platform, const CircuitStats& circuits, const TdmLinkStats& links,
                     ReportData& report);
/// The tables of phases, circuits and links after a run.
void add_circuit_tables(const TdmPlatform& platform, const CircuitStats& circuits, const TdmLinkStats& links,
                        const std::vector<PhaseTimes>& times, Cycle last_cycle, ReportData& report);
/// Messages, latencies, times, and the tables of circuits, links and phases.
void add_run_figures(const TdmPlatform& platform, const CircuitStats& circuits, const TdmLinkStats& links,
                     const std::vector<PhaseTimes>& times, Cycle last_cycle, std::uint64_t messages,
                     ReportData& report);
/// slot_tables[_phase].csv and .txt of every phase.
std::vector<Artifact> slot_table_artifacts(const TdmPlatform& platform);

}  // namespace weft
