// The one declaration of the keys of `topology`, and the step of `topology` and `routing` to their checked form.

#include "network/keys/network_schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/parsed_inputs.h"
#include "network/topology/grid.h"

namespace weft {
namespace {

RawTopologyKey& raw_key(RawTopology& raw, std::size_t number) {
  if (raw.keys.size() <= number) raw.keys.resize(number + 1);
  return raw.keys[number];
}
Given<std::uint32_t>& raw_number(RawTopology& raw, std::size_t key) { return raw_key(raw, key).number; }
Given<std::vector<Placed<std::uint32_t>>>& raw_numbers(RawTopology& raw, std::size_t key) {
  return raw_key(raw, key).numbers;
}
Given<std::string>& raw_file(RawTopology& raw, std::size_t key) { return raw_key(raw, key).file; }

std::vector<std::string_view> names_of(const std::vector<const Topology*>& kinds) {
  std::vector<std::string_view> out;
  for (const Topology* kind : kinds) out.push_back(kind->name);
  return out;
}

// "mesh, torus: number of ...", and kinds that mean something else by it after that.
std::string meaning_of(const SharedTopologyKey& shared) {
  std::vector<std::pair<std::string, std::string>> meanings;
  for (const Topology* kind : shared.kinds) {
    const std::string& meaning = key_of(*kind, shared.key.name)->meaning;
    if (meanings.empty() || meanings.back().second != meaning) {
      meanings.emplace_back(kind->name, meaning);
    } else {
      meanings.back().first += ", " + kind->name;
    }
  }
  std::string out;
  for (const auto& [kinds, meaning] : meanings) out += (out.empty() ? "" : "; ") + kinds + ": " + meaning;
  return out + ".";
}

}  // namespace

Section<RawTopology> topology_section(SwitchingKind use) {
  Section<RawTopology> s("topology", "The network: switches, how they are linked, and the nodes on them.");
  s.key("kind", &RawTopology::kind, choice_of(topologies().list()), required(),
        "Kind of network, which has some of the other keys: " + meanings(topologies().list()) + ".");
  const std::vector<SharedTopologyKey> keys = topology_keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const TopologyKey& key = keys[i].key;
    if (key.packets_only && use != SwitchingKind::packets) continue;
    if (key.circuits_only && use != SwitchingKind::circuits) continue;
    const std::string meaning = meaning_of(keys[i]);
    const Fallback fallback = key.fallback
                                  ? by_default(std::to_string(*key.fallback))
                                  : optional(fmt::format("needed for {}", fmt::join(names_of(keys[i].kinds), " and ")));
    const auto number = whole<std::uint32_t>(key.least, key.most);
    switch (key.form) {
      case TopologyKey::Form::number:
        s.numbered_key<raw_number>(key.name, i, number, fallback, meaning);
        break;
      case TopologyKey::Form::numbers:
        s.numbered_key<raw_numbers>(key.name, i, list_of(number, 1, kMaxTopologyNumbers), fallback, meaning);
        break;
      case TopologyKey::Form::file:
        s.numbered_key<raw_file>(key.name, i, path_type(), fallback, meaning);
        break;
    }
  }
  return s;
}

std::vector<const RoutingAlgorithm*> routing_algorithms_for(SwitchingKind use) {
  std::vector<const RoutingAlgorithm*> out;
  for (const RoutingAlgorithm* a : routing_algorithms()) {
    if (use == SwitchingKind::packets ? a->packets != nullptr : a->circuits != nullptr) out.push_back(a);
  }
  return out;
}

namespace {

const RoutingAlgorithm& usual_routing(const Topology& kind, SwitchingKind use) {
  return routing_algorithms().at(use == SwitchingKind::packets ? kind.packet_routing : kind.circuit_routing);
}

}  // namespace

std::string default_routings(SwitchingKind use) {
  std::string out;
  for (const RoutingAlgorithm* a : routing_algorithms_for(use)) {
    std::vector<const Topology*> kinds;
    for (const Topology* kind : topologies()) {
      if (&usual_routing(*kind, use) == a) kinds.push_back(kind);
    }
    if (kinds.empty()) continue;
    out += fmt::format("{}{} on {}", out.empty() ? "" : "; ", a->name, fmt::join(names_of(kinds), ", "));
  }
  return out;
}

std::string routing_meaning(SwitchingKind use) {
  std::string out = "Routing algorithm. ";
  for (const RoutingAlgorithm* a : routing_algorithms_for(use)) {
    if (!out.ends_with(". ")) out += "; ";
    out += a->needs.empty() ? fmt::format("{}: {}", a->name, a->meaning)
                            : fmt::format("{} (needs {}): {}", a->name, a->needs, a->meaning);
  }
  return out + ".";
}

namespace {

// Takes what was given for one key into the configuration; false: it is missing, foreign or wrong.
class TopologyReader {
 public:
  TopologyReader(TopologyConfig& out, const Location& where, const ConfigDocument& document, Diagnostics& diagnostics)
      : out_(out), where_(where), document_(document), diagnostics_(diagnostics) {}

  bool take(const SharedTopologyKey& shared, const RawTopologyKey& raw) {
    const TopologyKey* key = key_of(*out_.kind, shared.key.name);
    const KeyState& state = shared.key.form == TopologyKey::Form::number    ? static_cast<const KeyState&>(raw.number)
                            : shared.key.form == TopologyKey::Form::numbers ? static_cast<const KeyState&>(raw.numbers)
                                                                            : static_cast<const KeyState&>(raw.file);
    if (key == nullptr) {
      if (!state.given) return true;
      diagnostics_.error(state.key_where,
                         fmt::format("topology.{}: this key does not belong to kind '{}' (only to: {})",
                                     shared.key.name, out_.kind->name, fmt::join(names_of(shared.kinds), ", ")));
      return false;
    }
    if (!state.given && key->fallback) {
      out_.values[key->name] = *key->fallback;
      return true;
    }
    if (!state.given) {
      diagnostics_.error(where_,
                         fmt::format("topology: kind '{}' needs the key '{}'", out_.kind->name, shared.key.name));
      return false;
    }
    return state.valid && value(*key, raw);
  }

 private:
  bool value(const TopologyKey& key, const RawTopologyKey& raw) {
    if (key.form == TopologyKey::Form::file) {
      out_.values[key.name] = document_.resolve_path(raw.file.value, raw.file.where);
      return true;
    }
    if (key.form == TopologyKey::Form::number) {
      out_.values[key.name] = raw.number.value;
      return check(key, key.name, raw.number.value, raw.number.where);
    }
    bool ok = true;
    std::vector<std::uint32_t> numbers;
    for (const auto& n : raw.numbers.value) {
      ok &= check(key, fmt::format("{}.{}", key.name, numbers.size()), n.value, n.where);
      numbers.push_back(n.value);
    }
    out_.values[key.name] = std::move(numbers);
    return ok;
  }

  // Kinds that share a key may have limits of their own.
  bool check(const TopologyKey& key, const std::string& path, std::uint32_t number, const Location& where) {
    if (number >= key.least && number <= key.most) return true;
    diagnostics_.error(where, fmt::format("topology.{}: kind '{}' takes whole numbers from {} to {}, got '{}'", path,
                                          out_.kind->name, key.least, key.most, number));
    return false;
  }

  TopologyConfig& out_;
  const Location& where_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool values_are_valid(const RawTopology& raw) {
  const auto valid = [](const KeyState& state) { return state.valid || !state.given; };
  return std::all_of(raw.keys.begin(), raw.keys.end(), [&](const RawTopologyKey& key) {
    return valid(key.number) && valid(key.numbers) && valid(key.file);
  });
}

TopologyConfig resolve_topology(const Given<RawTopology>& section, const ConfigDocument& document,
                                Diagnostics& diagnostics) {
  TopologyConfig out;
  out.where = section.where;
  const RawTopology& raw = section.value;
  if (!section.valid || !raw.kind.valid) return out;
  out.kind = raw.kind.value;
  const std::size_t errors_before = diagnostics.errors();
  const std::vector<SharedTopologyKey> keys = topology_keys();
  TopologyReader reader(out, section.where, document, diagnostics);
  bool complete = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    complete &= reader.take(keys[i], i < raw.keys.size() ? raw.keys[i] : RawTopologyKey());
  }
  if (!complete || diagnostics.errors() != errors_before) return out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string& name = keys[i].key.name;
    if (keys[i].key.form != TopologyKey::Form::file || key_of(*out.kind, name) == nullptr) continue;
    const auto read = [&] { return read_file(out.file(name), raw.keys[i].file.where, "topology." + name); };
    passes([&] { ParsedInputs::once<std::string>(out.file(name), read); }, diagnostics);
  }
  if (const std::string problem = size_problem(out); !problem.empty()) {
    diagnostics.error(section.where, "topology: " + problem);
  }
  return out;
}

RoutingConfig resolve_routing(const RawRouting& raw, const Location& where, const TopologyConfig& topology,
                              bool topology_is_valid, SwitchingKind use, Diagnostics& diagnostics) {
  RoutingConfig out;
  out.where = where;
  if (raw.algorithm.given && raw.algorithm.valid) {
    out.algorithm = raw.algorithm.value;
  } else if (topology.kind != nullptr) {
    out.algorithm = &usual_routing(*topology.kind, use);
  }
  if (!topology_is_valid || (raw.algorithm.given && !raw.algorithm.valid)) return out;
  const RoutingAlgorithm& algorithm = *out.algorithm;
  if (!algorithm.takes_order && raw.order.given) {
    diagnostics.error(
        raw.order.key_where,
        fmt::format("routing.order: this key belongs to dimension_order, the algorithm is '{}'", algorithm.name));
  }
  if (!suits(algorithm, topology.kind->form)) {
    diagnostics.error(raw.algorithm.where, fmt::format("routing.algorithm: {} needs {}, the topology is '{}'",
                                                       algorithm.name, algorithm.needs, topology.kind->name));
    return out;
  }
  if (!algorithm.takes_order) return out;
  const auto count = static_cast<std::uint32_t>(topology.numbers("dims").size());
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

std::optional<std::uint32_t> nodes_of_topology(const TopologyConfig& topology) {
  const auto size = size_of(topology);
  if (!size) return std::nullopt;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(size->nodes, 1U << 30));
}

}  // namespace weft
