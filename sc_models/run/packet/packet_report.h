#pragma once
// The parts of the report of a packet network that are known before it runs.

#include "observe/report.h"
#include "run/packet/packet_platform.h"
#include "run/packet/packet_run.h"

namespace weft {

ReportData packet_report_header(const PacketPlatform& platform);
/// A duration of the run, rounded up as all durations of a configuration are.
Cycle whole_cycles(const PacketConfig& config, Duration time);
/// Adds the section `network`.
void add_packet_network(const PacketPlatform& platform, ReportData& report);

/// Figures of the nodes and their programs, known before a run.
ReportSection program_section(const PacketConfig& config);

/// Figures known before anything has run (`weft check`).
PacketRunResult plan_packet(const PacketPlatform& platform);

}  // namespace weft
