#pragma once
// Picture of the network that a configuration describes, for pages of what is made of several runs.

#include <optional>

#include "cli/report/report_input.h"
#include "observe/page/page_data.h"
#include "run/registry.h"

namespace weft::cli {

/// Nothing where the network cannot be made: runs say what is wrong with a configuration.
std::optional<NetworkView> configured_network(const Registry& registry, ConfigInput input, const Overrides& set);

}  // namespace weft::cli
