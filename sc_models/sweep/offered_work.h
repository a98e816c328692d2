#pragma once
// Size of a run by its configuration, before it is run.

#include "schema/yaml_tree.h"

namespace weft {

/// Amount of traffic that a configuration offers, in no unit: nodes times offered load times simulated time. A factor
/// that the configuration does not name by a usual key counts as 1.
double offered_work(const YamlNode& configuration);

}  // namespace weft
