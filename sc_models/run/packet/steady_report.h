#pragma once
// Length of a run of a packet network in its report: whether mean latencies are known, and the warnings where they are
// not.

#include "fabrics/packet/observe/packet_stats.h"
#include "observe/run_length.h"

namespace weft {

/// Section of a run that went on until mean latencies were known.
ReportSection steady_section(const PacketConfig& config, const PacketStats& stats, const RunLength& length);

/// Confidence of the mean latencies.
Figure half_width_figure(const PacketConfig& config, const PacketStats& stats);

/// Warnings about levels with traffic that goes on: latencies that still rise, intervals that are missing or cannot be
/// relied on.
std::vector<std::string> steady_notes(const PacketConfig& config, const PacketStats& stats);

/// "CL (12.5 flits/us), BK (3 flits/us)": the saturated levels and how fast their source queues grow.
std::string growth_text(const PacketConfig& config, const PacketStats& stats);

}  // namespace weft
