#pragma once
// One run of a FiC network in which circuits come and go (setup.mode in_network); run_fic() and plan_fic() come here.

#include "run/fic_simulation.h"
#include "run/setup_plan.h"

namespace weft {

RunResult run_setup(const FicPlatform& platform, const RunOptions& options);
/// The same for a plan from elsewhere: `platform` says what the network is like. `read` is shown the network when the
/// run is over, or has failed.
using SetupReader = std::function<void(const SetupNetwork&)>;
RunResult run_setup(const FicPlatform& platform, const SetupPlan& plan, const RunOptions& options,
                    const SetupReader& read = {});
RunResult plan_setup(const FicPlatform& platform);

}  // namespace weft
