#pragma once
// Phases whose circuits and slots are an all-to-all schedule: generated, or from a file.

#include "alltoall/fic_tables.h"
#include "config/config.h"

namespace weft {

/// Circuits of `phase`, which has alltoall or schedule_file, on the network of `config`. Throws InputError when that is
/// no grid which such schedules are for, when the schedule is wrong, or when the frame is shorter than the schedule.
alltoall::ScheduledCircuits scheduled_circuits(const FicConfig& config, const PhaseConfig& phase, const Graph& graph,
                                               const Routing& routing);

}  // namespace weft
