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
  std::optional<WaveTransfers> wave_transfers;  ///< messages in the waveform
  bool has_programs() const { return !programs.programs.empty(); }
};

/// What the waves of a workload choose must be there. Throws InputError. `traffic`: with the levels.
inline void check_waves(const Workload& workload, const TrafficConfig& traffic, std::uint32_t nodes) {
  if (workload.wave_trigger) check_wave_trigger(*workload.wave_trigger, traffic, nodes);
  if (workload.wave_transfers) check_wave_transfers(*workload.wave_transfers, traffic, nodes);
}

}  // namespace weft
