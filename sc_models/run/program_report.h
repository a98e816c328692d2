#pragma once
// The report of programs on a packet network.

#include "report/report.h"
#include "run/qos_platform.h"
#include "stats/packet_stats.h"
#include "traffic/program_traffic.h"

namespace weft {

/// Adds what the programs took: section `run`, tables `instructions`, `operations`, `nodes` and `links`. `cycles`:
/// length of the run so far.
void add_program_report(const QosPlatform& platform, const ProgramTraffic& traffic, const PacketStats& stats,
                        Cycle cycles, ReportData& report);

/// Figures of the nodes and their programs, known before a run.
Section program_section(const QosConfig& config);

}  // namespace weft
