#pragma once
// The one simulation: builds a fabric and its workload, warms up, measures, drains, settles, checks and reports.
// Programs run until they are over instead.

#include <functional>

#include "run/fabric_plan.h"

namespace weft {

/// `look`: at what was built, once the run is over and its report written.
RunResult simulate(const FabricPlan& plan, const RunOptions& options,
                   const std::function<void(BuiltFabric&)>& look = {});

/// A duration of a run in cycles, rounded up as all durations of a configuration are.
Cycle whole_cycles(Duration time, Duration period);

}  // namespace weft
