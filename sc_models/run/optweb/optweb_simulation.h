#pragma once
// One run of an OPTWEB network: its programs from the first instruction to the last, and the report. One simulation per
// process (the SystemC kernel does not restart).

#include "run/optweb/optweb_platform.h"
#include "run/optweb/optweb_run.h"

namespace weft {

OptwebRunResult run_optweb(const OptwebPlatform& platform, const OptwebRunOptions& options);

/// Facts known before anything has run (`weft check`).
OptwebRunResult plan_optweb(const OptwebPlatform& platform);

}  // namespace weft
