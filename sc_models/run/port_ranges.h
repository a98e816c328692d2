#pragma once
// Places that a configuration names, held against the network.

#include <string>

#include "config/qos_config.h"
#include "topology/graph.h"

namespace weft {

/// What is wrong with a range of ports in this network; empty when all of them exist and have something connected.
std::string range_problem(const PortRange& range, const Graph& graph);

}  // namespace weft
