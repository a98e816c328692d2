#pragma once
// Report of programs whose circuits change with them: how each collective is carried, and why; the steps of the run.

#include <vector>

#include "fabrics/tdm/controller.h"
#include "observe/report.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

/// Table `collectives`, and a note on those that run as messages. Nothing where circuits stay.
void add_collectives(const TdmPlatform& platform, ReportData& report);

/// Table `steps`, and figures of the changes into the section `run`. Nothing where circuits stay.
void add_steps(const TdmPlatform& platform, const std::vector<PhaseTimes>& steps, Cycle last_cycle, ReportData& report);

/// Times of each phase from those of its steps: the first beginnings, the last end, the sum of the requests.
std::vector<PhaseTimes> times_of_phases(const TdmPlatform& platform, const std::vector<PhaseTimes>& steps);

}  // namespace weft
