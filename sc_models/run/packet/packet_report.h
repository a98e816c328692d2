#pragma once
// Parts of the report of a packet network that are known before it runs.

#include "observe/report.h"
#include "run/packet/packet_platform.h"

namespace weft {

ReportData packet_report_header(const PacketPlatform& platform);
/// Adds the section `network`.
void add_packet_network(const PacketPlatform& platform, ReportData& report);

}  // namespace weft
