#pragma once
// Report of a FiC run: which sections and tables it has, that about all-to-all phases among them. Statistics come from
// the observers; here they are put in order, and what the plan and the controller know is added.

#include <vector>

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
/// The tables of phases, circuits and links after a run. `times`: of the phases, or of the steps of programs that
/// circuits change with.
void add_circuit_tables(const TdmPlatform& platform, const CircuitStats& circuits, const TdmLinkStats& links,
                        const std::vector<PhaseTimes>& times, Cycle last_cycle, ReportData& report);
/// Messages, latencies, times, and the tables of circuits, links and phases.
void add_run_figures(const TdmPlatform& platform, const CircuitStats& circuits, const TdmLinkStats& links,
                     const std::vector<PhaseTimes>& times, Cycle last_cycle, std::uint64_t messages,
                     ReportData& report);
/// Frames and cycles that the all-to-all phases of a run take: as the schedules say, and after a run, when `times` is
/// given, as simulated. No figures when there is no such phase, or one without an end that is known: with messages that
/// do not all stand ready at the beginning, or without a number of messages.
ReportSection alltoall_section(const TdmPlatform& platform, const std::vector<PhaseTimes>* times);
/// What the wavelengths and planes of all-to-all phases carry, by channel; `measured`: after a run. No rows when there
/// is no phase with several.
Table channels_table(const TdmPlatform& platform, const TdmLinkStats& links, bool measured);
/// slot_tables[_phase].csv and .txt of every phase.
std::vector<Artifact> slot_table_artifacts(const TdmPlatform& platform);

}  // namespace weft
