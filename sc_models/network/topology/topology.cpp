#include "network/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

template <class T>
const T& topology_value(const TopologyConfig& config, std::string_view key) {
  static const T none{};
  const auto found = config.values.find(key);
  const T* value = found == config.values.end() ? nullptr : std::get_if<T>(&found->second);
  return value == nullptr ? none : *value;
}

}  // namespace

std::uint32_t TopologyConfig::number(std::string_view key) const { return topology_value<std::uint32_t>(*this, key); }

const std::vector<std::uint32_t>& TopologyConfig::numbers(std::string_view key) const {
  return topology_value<std::vector<std::uint32_t>>(*this, key);
}

const std::string& TopologyConfig::file(std::string_view key) const { return topology_value<std::string>(*this, key); }

std::uint64_t limited_product(std::span<const std::uint32_t> factors, std::uint64_t first) {
  std::uint64_t product = std::min(first, kUncountable);
  for (const std::uint32_t f : factors) {
    product = f != 0 && product > kUncountable / f ? kUncountable : product * f;
  }
  return product;
}

const TopologyKey* key_of(const Topology& topology, std::string_view name) {
  const auto found = std::find_if(topology.keys.begin(), topology.keys.end(),
                                  [&](const TopologyKey& key) { return key.name == name; });
  return found == topology.keys.end() ? nullptr : &*found;
}

std::optional<TopologySize> size_of(const TopologyConfig& config) {
  if (config.kind == nullptr || !config.kind->size) return std::nullopt;
  return config.kind->size(config);
}

std::string size_problem(const TopologyConfig& config) {
  const auto size = size_of(config);
  if (!size) return {};
  if (size->switches > kMaxSwitches) return fmt::format("more than {} switches", kMaxSwitches);
  if (size->ports_per_switch > kMaxPortsPerSwitch) {
    return fmt::format("{} ports per switch, at most {} are possible", size->ports_per_switch, kMaxPortsPerSwitch);
  }
  if (size->ports_per_switch * size->switches > kMaxPorts) return fmt::format("more than {} ports", kMaxPorts);
  return {};
}

}  // namespace weft
