#pragma once
// Keys that every kind of configuration has at its head, and its sections `topology` and `routing`.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "network/routing/routing_algorithms.h"
#include "network/topology/topologies.h"
#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

/// Head of a configuration.
struct RawHead {
  Given<std::size_t> fabric;
  Given<std::string> title;
  Given<std::vector<Placed<std::string>>> base;  ///< only described here; schema/document.h reads it
  Given<std::uint64_t> seed;
};

/// A key of a kind of network; its form says which of the values it has.
struct RawTopologyKey {
  Given<std::uint32_t> number;
  Given<std::vector<Placed<std::uint32_t>>> numbers;
  Given<std::string> file;
};

struct RawTopology {
  Given<const Topology*> kind;
  std::vector<RawTopologyKey> keys;  ///< in the order of topology_keys(); missing ones are not given
};

struct RawRouting {
  Given<const RoutingAlgorithm*> algorithm;
  Given<std::vector<Placed<std::string>>> order;
};

/// Declares `fabric`, `title`, `seed` (where there is one) and `base`.
template <class Raw>
void declare_head(Section<Raw>& s, const std::vector<std::string>& fabrics) {
  const auto own = []<class Any, class T>(Given<T> Any::*field) { return static_cast<Given<T> Raw::*>(field); };
  s.key("fabric", own(&Raw::fabric), word_choice_type(fabrics), required(), "Kind of system this file describes.");
  s.key("title", own(&Raw::title), text_type(), by_default("''"), "Title of the report.");
  if constexpr (requires(Raw raw) { raw.seed; }) {
    s.key("seed", own(&Raw::seed), whole<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max()), by_default("1"),
          "Seed all random streams are derived from.");
  }
  s.key("base", own(&Raw::base), bases_type(), optional("this file stands alone"),
        "Configuration (or list of them) this one is laid over, relative to this file.");
}

/// Traffic of the network: packets may have trunks, several nodes on a switch, and routings without fixed routes.
enum class SwitchingKind { circuits, packets };

Section<RawTopology> topology_section(SwitchingKind use);

/// Algorithms of that use.
std::vector<const RoutingAlgorithm*> routing_algorithms_for(SwitchingKind use);
/// "dimension_order on mesh and torus, else shortest_path"
std::string default_routings(SwitchingKind use);
/// "Routing algorithm. dimension_order (needs a mesh or torus): ..."
std::string routing_meaning(SwitchingKind use);

/// Declares the keys of `routing` that belong to every fabric, in a section that may add its own.
template <class Raw>
void declare_routing(Section<Raw>& s, SwitchingKind use) {
  s.key("algorithm", static_cast<Given<const RoutingAlgorithm*> Raw::*>(&RawRouting::algorithm),
        choice_of(routing_algorithms_for(use)), optional(default_routings(use)), routing_meaning(use));
  s.key("order", static_cast<Given<std::vector<Placed<std::string>>> Raw::*>(&RawRouting::order),
        list_of(word_type(), 1, 16), optional("lowest dimension first"),
        "dimension_order: all dimensions (x, y, z, w, then d4, d5, ...) in the order in which they are "
        "corrected.");
}

/// All values of keys that are given could be read.
bool values_are_valid(const RawTopology& raw);
TopologyConfig resolve_topology(const Given<RawTopology>& section, const ConfigDocument& document,
                                Diagnostics& diagnostics);
/// Nodes (NICs) of a topology that is described by numbers, at most 2^30; nothing for one from a file.
std::optional<std::uint32_t> nodes_of_topology(const TopologyConfig& topology);
/// `topology_is_valid`: no error has been found in it.
RoutingConfig resolve_routing(const RawRouting& raw, const Location& where, const TopologyConfig& topology,
                              bool topology_is_valid, SwitchingKind use, Diagnostics& diagnostics);

/// Warns about a key that has no effect; not an error, since overrides often change one key of a complete file.
template <class T>
void warn_unused(const Given<T>& key, bool used, const std::string& message, Diagnostics& diagnostics) {
  if (key.valid && key.given && !used) diagnostics.warning(key.key_where, message);
}

}  // namespace weft
