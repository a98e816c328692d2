#pragma once
// What a configuration asks for against what the simulation can count, and what its user should know before it runs.

#include <string>
#include <vector>

#include "config/config.h"
#include "slots/circuit_plan.h"

namespace weft {

/// Throws InputError when a message has more words than a train can have (2^31), or when the run could last longer than
/// 4e18 ps (46 days): simulated time is a 64-bit number of picoseconds. The bound on time is an upper estimate.
void check_limits(const FicConfig& config, const std::vector<PhasePlan>& phases);

/// Things that are allowed but probably not meant: circuits offered more than their slots carry.
std::vector<std::string> load_notes(const FicConfig& config, const std::vector<PhasePlan>& phases);

}  // namespace weft
