#pragma once
// Sites of the switches and hosts of a FiC network: blocks, ports and latencies from the configuration and the graph.

#include "fabrics/tdm/host_interface.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/tdm_switch.h"
#include "network/graph.h"

namespace weft {

// `adapters`: cycles that one adds to each directed link, by its number; empty: none has any.

/// `domain`, `describe_message`, the path of a host and its store of messages are left to the network.
BlockSite make_site(const TdmConfig& config, const Graph& graph, SwitchId sw, const std::vector<Cycle>& adapters);
HostSite make_host_site(const TdmConfig& config, const Graph& graph, NodeId node, const std::vector<Cycle>& adapters);
TdmSwitchPorts make_ports(const TdmConfig& config, const Graph& graph, SwitchId sw, const std::vector<Cycle>& adapters);

}  // namespace weft
