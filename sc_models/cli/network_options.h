#pragma once
// A circuit-switched network given by options of the command line, which are checked as the keys of a file are.

#include <vector>

#include "cli/arguments.h"
#include "network/routing/routing_config.h"
#include "network/topology/topology_config.h"

namespace weft::cli {

struct NetworkConfig {
  TopologyConfig topology;
  RoutingConfig routing;  ///< the usual one of the network: dimension order on mesh and torus, else shortest paths
};

/// Reports everything that is wrong; the result is of no use then.
NetworkConfig read_network(const NetworkArguments& arguments, Diagnostics& diagnostics);

/// Options that are given, with their texts: for commands in which they have no meaning.
struct GivenOption {
  const char* option;
  const std::string* text;
};
std::vector<GivenOption> given_options(const NetworkArguments& arguments);

}  // namespace weft::cli
