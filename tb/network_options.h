#pragma once
// A network given by options of the command line, checked as a configuration file is.

#include <string>

#include "config/config.h"

namespace weft::cli {

struct NetworkOptions {
  std::string topology = "mesh";  ///< a kind, with further keys as in 'tree,arity=4,levels=2'
  std::string dims;               ///< "4,4"
};

struct NetworkConfig {
  TopologyConfig topology;
  RoutingConfig routing;  ///< the usual one of the network: dimension order on mesh and torus, else shortest paths
};

/// Throws InputError.
NetworkConfig load_network(const NetworkOptions& options);

}  // namespace weft::cli
