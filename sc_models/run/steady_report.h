#pragma once
// Length of a run in its report: whether mean latencies are known, and the warnings where they are
// not.

#include "observe/run_length.h"
#include "observe/transfer_stats.h"
#include "workload/workload.h"

namespace weft {

/// Section of a run that went on until mean latencies were known.
ReportSection steady_section(const Workload& workload, const TransferStats& stats, const RunLength& length);

/// Confidence of the mean latencies.
Figure half_width_figure(const TransferStats& stats);

/// Warnings about levels with traffic that goes on: latencies that still rise, intervals that are missing or cannot be
/// relied on. `length`: of a run that went on until they were known; null: of another one.
std::vector<std::string> steady_notes(const Workload& workload, const TransferStats& stats, const RunLength* length);

/// "CL (12.5 flits/us), BK (3 flits/us)": the saturated levels and how fast their source queues grow.
std::string growth_text(const TransferStats& stats);

}  // namespace weft
