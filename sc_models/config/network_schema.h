#pragma once
// What every kind of configuration says about its network: the sections `topology` and `routing`.

#include <string>
#include <vector>

#include "config/config.h"
#include "config/document.h"
#include "config/schema.h"
#include "config/schema_types.h"

namespace weft {

struct RawTopology {
  Given<TopologyKind> kind;
  Given<std::vector<Placed<std::uint32_t>>> dims;
  Given<std::uint32_t> arity;
  Given<std::uint32_t> levels;
  Given<std::uint32_t> switches;
  Given<std::uint32_t> groups;
  Given<std::uint32_t> routers_per_group;
  Given<std::uint32_t> nodes_per_router;
  Given<std::uint32_t> global_links;
  Given<std::string> file;
  Given<std::uint32_t> nodes_per_switch;  ///< packets only
  Given<std::uint32_t> trunk;             ///< packets only
};

struct RawRouting {
  Given<RoutingAlgorithm> algorithm;
  Given<std::vector<Placed<std::string>>> order;
};

/// What the network carries: packets may have trunks, several nodes on a switch, and random ways up a tree.
enum class NetworkUse { circuits, packets };

Section<RawTopology> topology_section(NetworkUse use);

/// Declares the keys of `routing` that belong to every fabric, in a section that may add its own.
template <class Raw>
void declare_routing(Section<Raw>& s, NetworkUse use) {
  std::vector<RoutingAlgorithm> algorithms{RoutingAlgorithm::dimension_order, RoutingAlgorithm::shortest_path};
  if (use == NetworkUse::packets) {
    algorithms.insert(algorithms.end(), {RoutingAlgorithm::valiant, RoutingAlgorithm::nearest_common_ancestor});
  }
  const bool packets = use == NetworkUse::packets;
  s.key("algorithm", static_cast<Given<RoutingAlgorithm> Raw::*>(&RawRouting::algorithm),
        choice<RoutingAlgorithm>(std::move(algorithms)),
        optional(packets ? "dimension_order on mesh and torus, valiant on a tree, else shortest_path"
                         : "dimension_order on mesh and torus, else shortest_path"),
        packets ? "Routing algorithm; dimension_order needs a mesh or torus, valiant (up to a random root) and "
                  "nearest_common_ancestor (up as far as needed, random ways) need a tree."
                : "Routing algorithm; dimension_order needs a mesh or torus.");
  s.key("order", static_cast<Given<std::vector<Placed<std::string>>> Raw::*>(&RawRouting::order),
        list_of(word_type(), 1, 8), optional("lowest dimension first"),
        "dimension_order: all dimensions (x, y, z, w, then d4, d5, ...) in the order in which they are "
        "corrected.");
}

TopologyConfig resolve_topology(const Given<RawTopology>& section, const ConfigDocument& document,
                                Diagnostics& diagnostics);
/// `topology_is_valid`: no error has been found in it.
RoutingConfig resolve_routing(const RawRouting& raw, const Location& where, const TopologyConfig& topology,
                              bool topology_is_valid, NetworkUse use, Diagnostics& diagnostics);

/// Warns about a key that has no effect; not an error, since overrides often change one key of a complete file.
template <class T>
void warn_unused(const Given<T>& key, bool used, const std::string& message, Diagnostics& diagnostics) {
  if (key.valid && key.given && !used) diagnostics.warning(key.key_where, message);
}

}  // namespace weft
