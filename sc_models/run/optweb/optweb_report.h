#pragma once
// The figures of a run of an OPTWEB network: what each instruction took, start-up latencies and bandwidths of measured
// operations, curves over the size.

#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_platform.h"
#include "run/optweb/optweb_run.h"

namespace weft {

/// Fills report and pictures from the rest of `result`.
void optweb_report(const OptwebPlatform& platform, const OptwebNetwork& network, const OptwebStats& stats,
                   OptwebRunResult& result);

/// Facts known before a run.
void optweb_plan_report(const OptwebPlatform& platform, OptwebRunResult& result);

}  // namespace weft
