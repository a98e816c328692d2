#pragma once
// Where the switches of a FiC network stand: their blocks, ports and latencies as the configuration and the graph say.

#include "config/config.h"
#include "fabric/tdm/tdm_switch.h"
#include "topology/graph.h"

namespace weft {

/// `domain` and `describe_message` are left to the network.
BlockSite make_site(const FicConfig& config, const Graph& graph, SwitchId sw);
TdmSwitchPorts make_ports(const FicConfig& config, const Graph& graph, SwitchId sw);

}  // namespace weft
