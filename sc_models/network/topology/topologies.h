#pragma once
// Kinds of networks that configurations can name. A kind is a file pair and a line in topologies.cpp; a program that
// uses the library adds one of its own with topologies().add({...}) before it reads a configuration. Its keys are then
// read, checked and described like all others.

#include "base/records.h"
#include "network/topology/topology.h"

namespace weft {

using Topologies = Records<Topology>;
Topologies& topologies();

/// Network of a kind for programs that describe it themselves; keys that are not named have their defaults.
TopologyConfig topology_config(std::string_view kind, std::map<std::string, TopologyValue, std::less<>> values = {});

/// A key of `topology` and the kinds that take it, each within limits of its own.
struct SharedTopologyKey {
  TopologyKey key;  ///< with the widest limits of all
  std::vector<const Topology*> kinds;
};
/// All keys of all kinds, each once; those of packet networks only last. Throws std::invalid_argument when kinds mean
/// different things by one key.
std::vector<SharedTopologyKey> topology_keys();

}  // namespace weft
