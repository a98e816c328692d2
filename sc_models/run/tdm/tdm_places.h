#pragma once
// Places that a FiC configuration names, held against its network.

#include "fabrics/tdm/keys/tdm_config.h"
#include "network/graph.h"

namespace weft {

/// Reports switches and links that the network does not have: of blocks, waves and failures.
void check_places(const TdmConfig& config, const Graph& graph, Diagnostics& diagnostics);

/// Reports these, and nodes of circuits, of a configuration in which other things are wrong; its topology is not.
void check_places_of_wrong(const TdmConfig& config, Diagnostics& diagnostics);

}  // namespace weft
