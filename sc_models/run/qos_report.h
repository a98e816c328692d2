#pragma once
// The parts of the report of a packet network that are known before it runs.

#include "report/report.h"
#include "run/qos_platform.h"
#include "run/qos_simulation.h"

namespace weft {

ReportData qos_report_header(const QosPlatform& platform);
/// A duration of the run, rounded up as all durations of a configuration are.
Cycle whole_cycles(const QosConfig& config, Duration time);
/// Adds the section `network`.
void add_qos_network(const QosPlatform& platform, ReportData& report);

}  // namespace weft
