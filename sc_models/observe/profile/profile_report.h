#pragma once
// Profile of a network in a report: table `profile` with a line per window, and what links, switches and nodes did in
// each of them (docs/report.md, "Profile over time").

#include "observe/profile/network_profile.h"
#include "observe/statistic.h"

namespace weft {

/// Precondition: it is closed.
void add_profile(const NetworkProfile& profile, ReportData& report);

}  // namespace weft
