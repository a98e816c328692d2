// From what a FiC file says to its checked configuration: network, switches, and everything that is not a
// phase.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files.h"
#include "config/fic_schema.h"

namespace weft {
namespace {

constexpr std::uint64_t kMaxSwitches = 1'000'000;
constexpr std::uint64_t kMaxPorts = 20'000'000;  // of a dragonfly, whose few numbers multiply quickly

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

std::string dimension_name(std::uint32_t dimension) {
  constexpr std::string_view kLetters = "xyzw";
  return dimension < kLetters.size() ? std::string(1, kLetters[dimension]) : fmt::format("d{}", dimension);
}

// Warns about a key that has no effect; not an error, since overrides often change one key of a complete
// file.
template <class T>
void warn_unused(const Given<T>& key, bool used, const std::string& message, Diagnostics& diagnostics) {
  if (key.valid && key.given && !used) diagnostics.warning(key.key_where, message);
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
    try {
      read_file(out.file);
    } catch (const InputError& e) {
      diagnostics.error(raw.file.where, fmt::format("topology.file: {}", e.what()));
    }
  } else if (count_switches(out) > kMaxSwitches) {
    diagnostics.error(section.where, fmt::format("topology: more than {} switches", kMaxSwitches));
  } else if (out.kind == TopologyKind::dragonfly) {
    const std::uint64_t ports = std::uint64_t{out.routers_per_group} + out.global_links + out.nodes_per_router - 1;
    if (ports * count_switches(out) > kMaxPorts) {
      diagnostics.error(section.where, fmt::format("topology: more than {} ports", kMaxPorts));
    }
  }
  return out;
}

RoutingConfig resolve_routing(const Given<RawRouting>& section, const TopologyConfig& topology, bool topology_is_valid,
                              Diagnostics& diagnostics) {
  RoutingConfig out;
  out.where = section.where;
  const RawRouting& raw = section.value;
  const bool grid = topology.kind == TopologyKind::mesh || topology.kind == TopologyKind::torus;
  out.algorithm = raw.algorithm.given ? raw.algorithm.value
                  : grid              ? RoutingAlgorithm::dimension_order
                                      : RoutingAlgorithm::shortest_path;
  if (!topology_is_valid || (raw.algorithm.given && !raw.algorithm.valid)) return out;
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

FicSwitchConfig resolve_switch(const Given<RawSwitch>& section, Diagnostics& diagnostics) {
  const RawSwitch& raw = section.value;
  FicSwitchConfig out;
  out.where = section.where;
  out.clock = raw.clock.value;
  out.slots = raw.slots.value;
  out.lanes = raw.lanes.value;
  out.lane_payload_bits = raw.lane_payload.value.bits;
  if (raw.clock.valid) {
    out.period = *period_of(raw.clock.value).value;
    out.pipeline = raw.pipeline.value.cycles(out.period);
    out.serdes = raw.serdes.value.cycles(out.period);
    out.reconfiguration = raw.reconfiguration.value.cycles(out.period);
  }
  out.all = {raw.slot_lut.value.implementation.value, raw.data_path.value.implementation.value};
  for (const auto& entry : raw.instances.value) {
    SwitchInstances instances;
    const auto range = parse_switch_range(entry.name, entry.where, "switch.instances", diagnostics);
    if (!range) continue;
    instances.range = *range;
    const auto& slot_lut = entry.value.slot_lut.value.implementation;
    const auto& data_path = entry.value.data_path.value.implementation;
    if (slot_lut.given) instances.slot_lut = slot_lut.value;
    if (data_path.given) instances.data_path = data_path.value;
    out.instances.push_back(std::move(instances));
  }
  return out;
}

FicConfig resolve_fic(const RawFic& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  FicConfig out;
  out.title = raw.title.value;
  out.seed = raw.seed.value;
  const std::size_t errors_before = diagnostics.errors();
  out.topology = resolve_topology(raw.topology, document, diagnostics);
  const bool topology_is_valid = raw.topology.valid && raw.topology.value.kind.valid &&
                                 (raw.topology.value.dims.valid || !raw.topology.value.dims.given) &&
                                 diagnostics.errors() == errors_before;
  out.routing = resolve_routing(raw.routing, out.topology, topology_is_valid, diagnostics);
  out.fic_switch = resolve_switch(raw.fic_switch, diagnostics);

  const RawSlots& slots = raw.slots.value;
  out.slots = {slots.allocator.value, slots.slot_update.value, slots.search_iterations.value};
  if (slots.allocator.valid) {
    warn_unused(
        slots.search_iterations, out.slots.allocator == Allocator::search,
        fmt::format("slots.search_iterations has no effect with allocator '{}'", to_string(out.slots.allocator)),
        diagnostics);
  }

  const RawSetup& setup = raw.setup.value;
  out.setup.mode = setup.mode.value;
  if (out.fic_switch.period.ps > 0) out.setup.processing = setup.processing.value.cycles(out.fic_switch.period);

  out.phases = resolve_phases(raw, document, diagnostics);
  const RawRun& run = raw.run.value;
  out.run = {run.warm_up.value, run.measure.value};

  const RawWaves& waves = raw.observe.value.waves.value;
  out.observe.slot_trace = raw.observe.value.slot_trace.value;
  for (const auto& range : waves.switches.value) out.observe.waves.switches.push_back(range.value);
  out.observe.waves.from = waves.from.value;
  if (waves.until.given) out.observe.waves.until = waves.until.value;
  if (waves.until.valid && waves.from.valid && waves.until.value <= waves.from.value) {
    diagnostics.error(waves.until.where, fmt::format("observe.waves.until: must be after from ({}), got '{}'",
                                                     to_string(waves.from.value), to_string(waves.until.value)));
  }
  return out;
}

}  // namespace weft
