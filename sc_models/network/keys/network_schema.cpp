// The one declaration of the keys of `topology`, and the step of `topology` and `routing` to their checked form.

#include "network/keys/network_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "network/topology/network_limits.h"

namespace weft {

Section<RawTopology> topology_section(NetworkUse use) {
  Section<RawTopology> s("topology", "The network: switches, how they are linked, and the nodes on them.");
  const auto number = [](std::uint64_t min, std::uint64_t max) { return whole<std::uint32_t>(min, max); };
  s.key("kind", &RawTopology::kind, choice<TopologyKind>(), required(),
        "Form of the network; each of the other keys belongs to one or two kinds and is needed there.");
  s.key("dims", &RawTopology::dims, list_of(number(1, 4096), 1, 16), optional("needed for mesh and torus"),
        "mesh, torus: number of switches in each dimension, x first; at least 2 in a torus.");
  s.key("arity", &RawTopology::arity, number(2, 1024), optional("needed for tree"), "tree: k of the k-ary n-tree.");
  s.key("levels", &RawTopology::levels, number(1, 16), optional("needed for tree"),
        "tree: n of the k-ary n-tree, its number of switch levels.");
  s.key("switches", &RawTopology::switches, number(2, 4096), optional("needed for full_mesh"),
        "full_mesh: number of switches, each linked to all others.");
  s.key("groups", &RawTopology::groups, number(1, 65536), optional("needed for dragonfly"),
        "dragonfly: number of groups.");
  s.key("routers_per_group", &RawTopology::routers_per_group, number(1, 4096), optional("needed for dragonfly"),
        "dragonfly: a, switches in a group, each linked to all others of the group.");
  s.key("nodes_per_router", &RawTopology::nodes_per_router, number(1, 4096), optional("needed for dragonfly"),
        "dragonfly: p, nodes on each switch.");
  s.key("global_links", &RawTopology::global_links, number(1, 4096), optional("needed for dragonfly"),
        "dragonfly: h, links of each switch to other groups.");
  s.key("file", &RawTopology::file, path_type(), optional("needed for file"),
        "file: text file with the network, relative to the file that names it.");
  if (use == NetworkUse::packets) {
    s.key("nodes_per_switch", &RawTopology::nodes_per_switch, number(1, 1024), by_default("1"),
          "mesh, torus: nodes on each switch; node n is on switch n / nodes_per_switch.");
    s.key("trunk", &RawTopology::trunk, number(1, 256), by_default("1"),
          "mesh, torus: parallel links between neighbours; each carries messages of its own.");
  }
  return s;
}

namespace {

// One key of `topology` besides `kind`, independent of its type.
struct TopologyKey {
  std::string name;
  bool given;
  bool valid;
  Location key_where;
  std::vector<TopologyKind> kinds;
};

template <class T>
TopologyKey topology_key(std::string name, const Given<T>& value, std::vector<TopologyKind> kinds) {
  return {std::move(name), value.given, value.valid, value.key_where, std::move(kinds)};
}

bool check_keys(const RawTopology& raw, const Location& where, Diagnostics& diagnostics) {
  using enum TopologyKind;
  const std::array keys{topology_key("dims", raw.dims, {mesh, torus}),
                        topology_key("arity", raw.arity, {tree}),
                        topology_key("levels", raw.levels, {tree}),
                        topology_key("switches", raw.switches, {full_mesh}),
                        topology_key("groups", raw.groups, {dragonfly}),
                        topology_key("routers_per_group", raw.routers_per_group, {dragonfly}),
                        topology_key("nodes_per_router", raw.nodes_per_router, {dragonfly}),
                        topology_key("global_links", raw.global_links, {dragonfly}),
                        topology_key("file", raw.file, {TopologyKind::file})};
  const TopologyKind kind = raw.kind.value;
  bool ok = true;
  for (const TopologyKey& key : keys) {
    const bool belongs = std::find(key.kinds.begin(), key.kinds.end(), kind) != key.kinds.end();
    if (belongs && !key.given) {
      diagnostics.error(where, fmt::format("topology: kind '{}' needs the key '{}'", to_string(kind), key.name));
    } else if (!belongs && key.given) {
      std::string owners;
      for (const TopologyKind k : key.kinds) owners += (owners.empty() ? "" : ", ") + to_string(k);
      diagnostics.error(key.key_where, fmt::format("topology.{}: this key does not belong to kind '{}' (only to: {})",
                                                   key.name, to_string(kind), owners));
    }
    ok = ok && belongs == key.given && (!belongs || key.valid);
  }
  return ok;
}

// Switches of the network, or more than kMaxSwitches; saturating, so that no product overflows.
std::uint64_t count_switches(const TopologyConfig& t) {
  const auto times = [](std::uint64_t a, std::uint64_t b) { return std::min(a * b, kMaxSwitches + 1); };
  std::uint64_t n = 1;
  switch (t.kind) {
    case TopologyKind::mesh:
    case TopologyKind::torus:
      for (const std::uint32_t d : t.dims) n = times(n, d);
      return n;
    case TopologyKind::tree:
      n = t.levels;
      for (std::uint32_t i = 1; i < t.levels; ++i) n = times(n, t.arity);
      return n;
    case TopologyKind::full_mesh:
      return t.switches;
    case TopologyKind::dragonfly:
      return times(t.groups, t.routers_per_group);
    case TopologyKind::file:
      return 1;
  }
  return n;
}

std::uint64_t ports_per_switch(const TopologyConfig& t) {
  switch (t.kind) {
    case TopologyKind::mesh:
    case TopologyKind::torus:
      return t.nodes_per_switch + 2 * std::uint64_t{t.trunk} * t.dims.size();
    case TopologyKind::tree:
      return 2 * std::uint64_t{t.arity};
    case TopologyKind::full_mesh:
      return t.switches;
    case TopologyKind::dragonfly:
      return std::uint64_t{t.routers_per_group} + t.global_links + t.nodes_per_router - 1;
    case TopologyKind::file:
      return 1;
  }
  return 1;
}

std::string dimension_name(std::uint32_t dimension) {
  constexpr std::string_view kLetters = "xyzw";
  return dimension < kLetters.size() ? std::string(1, kLetters[dimension]) : fmt::format("d{}", dimension);
}

}  // namespace

TopologyConfig resolve_topology(const Given<RawTopology>& section, const ConfigDocument& document,
                                Diagnostics& diagnostics) {
  TopologyConfig out;
  out.where = section.where;
  const RawTopology& raw = section.value;
  if (!section.valid || !raw.kind.valid) return out;
  const std::size_t errors_before = diagnostics.errors();
  out.kind = raw.kind.value;
  const bool complete = check_keys(raw, section.where, diagnostics);
  for (const auto& d : raw.dims.value) {
    out.dims.push_back(d.value);
    if (out.kind == TopologyKind::torus && raw.dims.valid && d.value < 2) {
      diagnostics.error(d.where, fmt::format("topology.dims.{}: a torus needs at least 2 switches in each dimension, "
                                             "got '{}'",
                                             out.dims.size() - 1, d.value));
    }
  }
  if (raw.nodes_per_switch.valid) out.nodes_per_switch = raw.nodes_per_switch.value;
  if (raw.trunk.valid) out.trunk = raw.trunk.value;
  for (const auto* key : {&raw.nodes_per_switch, &raw.trunk}) {
    const bool is_grid = out.kind == TopologyKind::mesh || out.kind == TopologyKind::torus;
    if (!key->given || is_grid) continue;
    diagnostics.error(key->key_where,
                      fmt::format("topology.{}: this key does not belong to kind '{}' (only to: mesh, torus)",
                                  key == &raw.trunk ? "trunk" : "nodes_per_switch", to_string(out.kind)));
  }
  out.arity = raw.arity.value;
  out.levels = raw.levels.value;
  out.switches = raw.switches.value;
  out.groups = raw.groups.value;
  out.routers_per_group = raw.routers_per_group.value;
  out.nodes_per_router = raw.nodes_per_router.value;
  out.global_links = raw.global_links.value;
  if (!complete || diagnostics.errors() != errors_before) return out;
  if (out.kind == TopologyKind::file) {
    out.file = document.resolve_path(raw.file.value, raw.file.where);
    passes([&] { read_file(out.file, raw.file.where, "topology.file"); }, diagnostics);
  } else if (count_switches(out) > kMaxSwitches) {
    diagnostics.error(section.where, fmt::format("topology: more than {} switches", kMaxSwitches));
  } else if (ports_per_switch(out) * count_switches(out) > kMaxPorts) {
    diagnostics.error(section.where, fmt::format("topology: more than {} ports", kMaxPorts));
  }
  return out;
}

RoutingConfig resolve_routing(const RawRouting& raw, const Location& where, const TopologyConfig& topology,
                              bool topology_is_valid, NetworkUse use, Diagnostics& diagnostics) {
  RoutingConfig out;
  out.where = where;
  const bool grid = topology.kind == TopologyKind::mesh || topology.kind == TopologyKind::torus;
  out.algorithm = raw.algorithm.given ? raw.algorithm.value
                  : grid              ? RoutingAlgorithm::dimension_order
                  : use == NetworkUse::packets && topology.kind == TopologyKind::tree ? RoutingAlgorithm::valiant
                                                                                      : RoutingAlgorithm::shortest_path;
  if (!topology_is_valid || (raw.algorithm.given && !raw.algorithm.valid)) return out;
  const bool up_and_down =
      out.algorithm == RoutingAlgorithm::valiant || out.algorithm == RoutingAlgorithm::nearest_common_ancestor;
  if (up_and_down && topology.kind != TopologyKind::tree) {
    diagnostics.error(raw.algorithm.where, fmt::format("routing.algorithm: {} needs a tree, the topology is '{}'",
                                                       to_string(out.algorithm), to_string(topology.kind)));
  }
  if (out.algorithm != RoutingAlgorithm::dimension_order) {
    if (raw.order.given) {
      diagnostics.error(raw.order.key_where, fmt::format("routing.order: this key belongs to dimension_order, the "
                                                         "algorithm is '{}'",
                                                         to_string(out.algorithm)));
    }
    return out;
  }
  if (!grid) {
    diagnostics.error(raw.algorithm.where,
                      fmt::format("routing.algorithm: dimension_order needs a mesh or torus, the topology is '{}'",
                                  to_string(topology.kind)));
    return out;
  }
  const auto count = static_cast<std::uint32_t>(topology.dims.size());
  std::vector<std::string> names;
  std::string all;
  for (std::uint32_t d = 0; d < count; ++d) {
    names.push_back(dimension_name(d));
    all += (all.empty() ? "" : ", ") + names.back();
    if (!raw.order.given) out.order.push_back(d);
  }
  if (!raw.order.given || !raw.order.valid) return out;
  bool ok = true;
  for (const auto& word : raw.order.value) {
    const auto found = std::find(names.begin(), names.end(), word.value);
    const auto dimension = static_cast<std::uint32_t>(found - names.begin());
    const bool known = found != names.end();
    if (known && std::find(out.order.begin(), out.order.end(), dimension) == out.order.end()) {
      out.order.push_back(dimension);
      continue;
    }
    ok = false;
    diagnostics.error(word.where, known ? fmt::format("routing.order: dimension '{}' is named twice", word.value)
                                        : fmt::format("routing.order: unknown dimension '{}'; this topology has {}",
                                                      word.value, all));
  }
  if (ok && out.order.size() != count) {
    diagnostics.error(raw.order.where, fmt::format("routing.order: all dimensions must be named once: {}", all));
  }
  return out;
}

std::optional<std::uint32_t> nodes_of_topology(const TopologyConfig& t) {
  std::uint64_t nics = 1;
  const auto times = [&](std::uint64_t n) { nics = std::min<std::uint64_t>(nics * n, 1U << 30); };
  switch (t.kind) {
    case TopologyKind::mesh:
    case TopologyKind::torus:
      for (const std::uint32_t d : t.dims) times(d);
      times(t.nodes_per_switch);
      break;
    case TopologyKind::tree:
      for (std::uint32_t l = 0; l < t.levels && nics < 1U << 30; ++l) times(t.arity);
      break;
    case TopologyKind::full_mesh:
      times(t.switches);
      break;
    case TopologyKind::dragonfly:
      times(t.groups);
      times(t.routers_per_group);
      times(t.nodes_per_router);
      break;
    case TopologyKind::file:
      return std::nullopt;
  }
  return static_cast<std::uint32_t>(nics);
}

}  // namespace weft
