#pragma once
// One run of a FiC network in which circuits come and go (setup.mode in_network); run_tdm() and plan_tdm() come here.

#include <functional>

#include "run/tdm/setup_plan.h"
#include "run/tdm/tdm_run.h"

namespace weft {

TdmRunResult run_setup(const TdmPlatform& platform, const TdmRunOptions& options);
/// The same for a plan from elsewhere: `platform` says what the network is like. `read` is shown the network when the
/// run is over, or has failed.
using SetupReader = std::function<void(const SetupNetwork&)>;
TdmRunResult run_setup(const TdmPlatform& platform, const SetupPlan& plan, const TdmRunOptions& options,
                       const SetupReader& read = {});
TdmRunResult plan_setup(const TdmPlatform& platform);

}  // namespace weft
