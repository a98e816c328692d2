#pragma once
// Section of a report about all-to-all phases.

#include <vector>

#include "fabrics/tdm/controller.h"
#include "observe/statistic.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

/// Frames and cycles that the all-to-all phases of a run take: as the schedules say, and after a run, when `times` is
/// given, as simulated. No figures when there is no such phase, or one without an end that is known: with messages that
/// do not all stand ready at the beginning, or without a number of messages.
ReportSection alltoall_section(const TdmPlatform& platform, const std::vector<PhaseTimes>* times);

}  // namespace weft
