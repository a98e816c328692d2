#pragma once
// Figures of lockstep pairs: how much they have compared without finding a difference.

#include "cosim/common/lockstep_counts.h"
#include "observe/statistic.h"

namespace weft {

/// Adds the section and the table `lockstep` when there are pairs.
void add_lockstep(const LockstepCounts& counts, ReportData& report);

}  // namespace weft
