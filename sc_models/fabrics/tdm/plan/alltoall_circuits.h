#pragma once
// Circuits and slots of phases that are an all-to-all schedule: generated, or from a file.

#include <optional>

#include "algorithms/alltoall/schedule.h"
#include "algorithms/alltoall/tdm_tables.h"
#include "algorithms/alltoall/wdm.h"
#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "network/graph.h"
#include "network/routing/routing.h"

namespace weft {

struct ScheduledPhase {
  alltoall::ScheduledCircuits circuits;
  LinkChannels channels;
};

/// Circuits of `phase`, which has alltoall or schedule_file, on the network of `config`. Throws InputError when that is
/// no grid which such schedules are for, when it has fewer parallel links than the schedule channels, when the schedule
/// is wrong, or when the frame is shorter than the schedule.
ScheduledPhase scheduled_phase(const TdmConfig& config, const PhaseConfig& phase, const Graph& graph,
                               const CircuitRouting& routing);

/// A schedule, and the channels that its slots are spread over.
struct SpreadSchedule {
  alltoall::Schedule schedule;
  alltoall::ChannelPlan plan;
};

/// The systematic schedule of a network of `config`, with a plane for each parallel link that its bundles have
/// everywhere; nothing where there is none for it.
std::optional<SpreadSchedule> systematic_schedule(const TdmConfig& config, const Graph& graph);

}  // namespace weft
