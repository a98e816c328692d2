#pragma once
// Workload of a run: traffic for a time, or programs until they are over; the same on every fabric.

#include <optional>

#include "workload/program_client.h"
#include "workload/traffic_config.h"
#include "workload/wave_trigger.h"

namespace weft {

struct Workload {
  TrafficConfig traffic;    ///< its services are those of programs, too
  RunConfig run;            ///< with traffic
  ProgramsConfig programs;  ///< instead of traffic; no programs: traffic
  bool message_log = false;
  std::optional<Cycle> profile;  ///< length of its windows
  std::optional<WaveTrigger> wave_trigger;
  bool has_programs() const { return !programs.programs.empty(); }
};

}  // namespace weft
