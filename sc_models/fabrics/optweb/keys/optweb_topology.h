#pragma once
// Topology of an OPTWEB network from a file: full mesh, dragonfly or hierarchy, as places at each level.

#include "algorithms/optweb/optweb_config.h"
#include "fabrics/optweb/keys/optweb_schema.h"

namespace weft {

/// `topology`, `groups` and `levels`, for out.nodes nodes. Whether nothing is wrong with them.
bool resolve_topology(const RawOptweb& raw, OptwebConfig& out, Diagnostics& diagnostics);

}  // namespace weft
