#pragma once
// The parts of the report of a packet network that are known before it runs.

#include "report/report.h"
#include "run/qos_platform.h"
#include "run/qos_simulation.h"

namespace weft {

ReportData qos_report_header(const QosPlatform& platform);
/// Adds the section `network`.
void add_qos_network(const QosPlatform& platform, ReportData& report);

}  // namespace weft
