#pragma once
// What every kind of configuration says at its head and about its network: the sections `topology` and `routing`.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "network/routing/routing_config.h"
#include "network/topology/topology_config.h"
#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

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

/// Declares `fabric`, `title`, `seed` (where there is one) and `base`.
template <class Raw>
void declare_head(Section<Raw>& s, const std::vector<std::string>& fabrics) {
  s.key("fabric", &Raw::fabric, word_choice_type(fabrics), required(), "Kind of system this file describes.");
  s.key("title", &Raw::title, text_type(), by_default("''"), "Title of the report.");
  if constexpr (requires(Raw raw) { raw.seed; }) {
    s.key("seed", &Raw::seed, whole<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max()), by_default("1"),
          "Seed all random streams are derived from.");
  }
  auto base = list_of(path_type(), 1, kAnyCount);
  base.info.name = "file name or list of them";
  s.key("base", &Raw::base, std::move(base), optional("this file stands alone"),
        "Configuration (or list of them) this one is laid over, relative to this file.");
}

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
        list_of(word_type(), 1, 16), optional("lowest dimension first"),
        "dimension_order: all dimensions (x, y, z, w, then d4, d5, ...) in the order in which they are "
        "corrected.");
}

TopologyConfig resolve_topology(const Given<RawTopology>& section, const ConfigDocument& document,
                                Diagnostics& diagnostics);
/// Nodes (NICs) of a topology that is described by numbers, at most 2^30; nothing for one from a file.
std::optional<std::uint32_t> nodes_of_topology(const TopologyConfig& topology);
/// `topology_is_valid`: no error has been found in it.
RoutingConfig resolve_routing(const RawRouting& raw, const Location& where, const TopologyConfig& topology,
                              bool topology_is_valid, NetworkUse use, Diagnostics& diagnostics);

/// Warns about a key that has no effect; not an error, since overrides often change one key of a complete file.
template <class T>
void warn_unused(const Given<T>& key, bool used, const std::string& message, Diagnostics& diagnostics) {
  if (key.valid && key.given && !used) diagnostics.warning(key.key_where, message);
}

}  // namespace weft
