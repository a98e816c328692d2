#pragma once
// From a configuration with setup.mode in_network to what its sources ask for: flows with their routes, failures.

#include "fabrics/tdm/setup/setup_network.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

/// Throws InputError for links and switches that the network does not have, for messages with more words than can be
/// counted, and when the run could last longer than simulated time can be counted.
SetupPlan make_setup_plan(const TdmPlatform& platform);

}  // namespace weft
