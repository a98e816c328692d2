#pragma once
// Run of a FiC network, from its platform to its report: options, result, and the functions that run it or only plan
// it. One simulation per process (the SystemC kernel does not restart). Networks in which circuits come and go
// (setup.mode in_network) have a plan and functions of their own, to which the general ones lead.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cosim/tdm/tdm_blocks.h"
#include "fabrics/tdm/observer.h"
#include "parallel/part.h"
#include "run/run_options.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

class SetupNetwork;
struct SetupPlan;

struct TdmRunOptions : RunOptions {
  std::string slot_trace;               ///< CSV file for observe.slot_trace, which is off without a name
  std::vector<TdmObserver*> observers;  ///< further observers
};

struct TdmRunResult : RunResult {
  std::uint64_t word_hops = 0;
};

/// Builds the SystemC modules, lets time pass until every message is delivered, and collects the report. Throws
/// InputError when a wave file cannot be written; failures of the run itself come back in the result, with a report
/// marked incomplete.
TdmRunResult run_tdm(const TdmPlatform& platform, const TdmRunOptions& options);

/// What the sources of a network with setup.mode in_network ask for: flows with their routes, failures. Throws
/// InputError for links and switches that the network does not have, for messages with more words than can be counted,
/// and when the run could last longer than simulated time can be counted.
SetupPlan make_setup_plan(const TdmPlatform& platform);

/// The same flows for endpoints, which submit their messages.
SetupPlan make_submitted_plan(const TdmPlatform& platform);

/// What this process builds: the whole network, or its share of the switches.
Part part_of(const TdmPlatform& platform, Ranks* ranks);

/// run_tdm() of a network with setup.mode in_network.
TdmRunResult run_setup(const TdmPlatform& platform, const TdmRunOptions& options);
/// The same for a plan from elsewhere: `platform` says what the network is like. `read` is shown the network when the
/// run is over, or has failed.
using SetupReader = std::function<void(const SetupNetwork&)>;
TdmRunResult run_setup(const TdmPlatform& platform, const SetupPlan& plan, const TdmRunOptions& options,
                       const SetupReader& read = {});

}  // namespace weft
