#pragma once
// Phases whose circuits and slots are an all-to-all schedule: generated, or from a file.

#include "alltoall/fic_tables.h"
#include "config/config.h"
#include "fabric/tdm/controller.h"
#include "run/fic_platform.h"
#include "stats/statistic.h"

namespace weft {

/// Circuits of `phase`, which has alltoall or schedule_file, on the network of `config`. Throws InputError when that is
/// no grid which such schedules are for, when the schedule is wrong, or when the frame is shorter than the schedule.
alltoall::ScheduledCircuits scheduled_circuits(const FicConfig& config, const PhaseConfig& phase, const Graph& graph,
                                               const Routing& routing);

/// Frames and cycles that the all-to-all phases of a run take: as the schedules say, and after a run, when `times` is
/// given, as simulated. No figures when there is no such phase, or one without an end that is known: with messages that
/// do not all stand ready at the beginning, or without a number of messages.
Section alltoall_section(const FicPlatform& platform, const std::vector<PhaseTimes>* times);

}  // namespace weft
