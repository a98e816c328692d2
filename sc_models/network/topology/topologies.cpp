#include "network/topology/topologies.h"

#include <algorithm>

#include "network/topology/dragonfly.h"
#include "network/topology/file.h"
#include "network/topology/full_mesh.h"
#include "network/topology/mesh.h"
#include "network/topology/torus.h"
#include "network/topology/tree.h"

namespace weft {

Topologies& topologies() {
  static Topologies table{
      &mesh_topology(),      &torus_topology(),     &tree_topology(),
      &full_mesh_topology(), &dragonfly_topology(), &file_topology(),
  };
  return table;
}

TopologyConfig topology_config(std::string_view kind, std::map<std::string, TopologyValue, std::less<>> values) {
  TopologyConfig config;
  config.kind = &topologies().at(kind);
  config.values = std::move(values);
  for (const TopologyKey& key : config.kind->keys) {
    if (key.fallback) config.values.try_emplace(key.name, *key.fallback);
  }
  return config;
}

std::vector<SharedTopologyKey> topology_keys() {
  std::vector<SharedTopologyKey> out;
  for (const Topology* kind : topologies()) {
    for (const TopologyKey& key : kind->keys) {
      const auto known = std::find_if(out.begin(), out.end(),
                                      [&](const SharedTopologyKey& shared) { return shared.key.name == key.name; });
      if (known == out.end()) {
        out.push_back({key, {kind}});
        continue;
      }
      TopologyKey& shared = known->key;
      if (shared.form != key.form || shared.fallback != key.fallback || shared.packets_only != key.packets_only ||
          shared.circuits_only != key.circuits_only) {
        throw std::invalid_argument("the kinds '" + known->kinds.front()->name + "' and '" + kind->name +
                                    "' of networks mean different things by the key '" + key.name + "'");
      }
      shared.least = std::min(shared.least, key.least);
      shared.most = std::max(shared.most, key.most);
      known->kinds.push_back(kind);
    }
  }
  std::stable_partition(out.begin(), out.end(), [](const SharedTopologyKey& k) { return !k.key.packets_only; });
  return out;
}

}  // namespace weft
