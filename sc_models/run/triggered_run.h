#pragma once
// A run whose waveform is written around an event (observe.waves.trigger). A copy of the process runs without waves
// until the event, then this one runs with the waves of the time around it: the same run, since runs repeat to the bit.

#include "run/family.h"

namespace weft {

/// plan.run(options), with the waveform as the plan says.
RunResult run_with_trigger(const Plan& plan, const RunOptions& options);

}  // namespace weft
