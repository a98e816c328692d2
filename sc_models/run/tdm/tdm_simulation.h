#pragma once
// One run of a FiC network: builds the SystemC modules, lets time pass until every message is delivered, and collects
// the report. One simulation per process (the SystemC kernel does not restart).

#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_run.h"

namespace weft {

/// Throws InputError when a wave file cannot be written; failures of the run itself come back in the result, with a
/// report marked incomplete.
TdmRunResult run_tdm(const TdmPlatform& platform, const TdmRunOptions& options);

/// The report before anything has run: slots, tables, predictions (`weft check`).
TdmRunResult plan_tdm(const TdmPlatform& platform);

}  // namespace weft
