#pragma once
// Kind of network as one record: its name, its keys in the section `topology`, its size, how it is built, and what
// belongs to it elsewhere (default routings, names of ports). The records stand in network/topology/topologies.h.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "network/graph.h"

namespace weft {

/// Key of `topology` that a kind of network takes; kinds may share a key. Without a default it is needed.
struct TopologyKey {
  enum class Form : std::uint8_t {
    number,
    numbers,  ///< list of at most 16
    file,     ///< path, resolved against the folder of the file that names it
  };
  std::string name;
  std::string meaning;
  Form form = Form::number;
  std::uint32_t least = 1;  ///< of each number
  std::uint32_t most = 4096;
  std::optional<std::uint32_t> fallback = std::nullopt;
  bool packets_only = false;   ///< belongs to packet networks only
  bool circuits_only = false;  ///< belongs to networks of circuits only
};
inline constexpr std::size_t kMaxTopologyNumbers = 16;

using TopologyValue = std::variant<std::uint32_t, std::vector<std::uint32_t>, std::string>;

struct Topology;

/// Description of a network: its kind and the values of its keys, checked, with defaults filled in.
struct TopologyConfig {
  Location where;
  const Topology* kind = nullptr;
  std::map<std::string, TopologyValue, std::less<>> values;

  std::uint32_t number(std::string_view key) const;                       ///< 0: none
  const std::vector<std::uint32_t>& numbers(std::string_view key) const;  ///< empty: none
  const std::string& file(std::string_view key) const;                    ///< empty: none
};

/// Largest networks that are built; larger numbers are more likely slips of the pen than networks.
inline constexpr std::uint64_t kMaxSwitches = 1U << 20;
inline constexpr std::uint64_t kMaxPorts = 20'000'000;  ///< of all switches; a few numbers multiply quickly
inline constexpr std::uint32_t kMaxPortsPerSwitch = 8192;

struct TopologySize {
  std::uint64_t switches = 0;
  std::uint64_t ports_per_switch = 0;  ///< of the largest switch
  std::uint64_t nodes = 0;
};

/// Product of factors; kUncountable when it is that or more.
inline constexpr std::uint64_t kUncountable = std::uint64_t{1} << 40;
std::uint64_t limited_product(std::span<const std::uint32_t> factors, std::uint64_t first = 1);

struct Topology {
  std::string name;     ///< word of `topology.kind`
  std::string meaning;  ///< for descriptions: "grid of any number of dimensions"
  std::vector<TopologyKey> keys;
  /// Size, found without building the network, whatever the values. Empty: known once the network is built.
  std::function<TopologySize(const TopologyConfig&)> size = nullptr;
  /// Builds the network, which has the size that was said. Throws InputError at config.where.
  std::function<Graph(const TopologyConfig&)> build = nullptr;
  /// Direction a port leads to ("+x", "up"), for waves and pictures; empty: ports have numbers only.
  Graph::PortName port_name = nullptr;
  /// Form that every network of this kind has.
  NetworkForm form = NetworkForm::any;
  std::string circuit_routing = "shortest_path";  ///< word of routing.algorithm by default
  std::string packet_routing = "up_down";
  /// How to avoid a deadlock of packets: "use algorithm: ...".
  std::string deadlock_advice = "use algorithm: up_down";
  std::string wormhole_advice = {};  ///< the same for flit-by-flit routers; empty: it is the same
};

/// The key of that name that a kind has; null: it has none.
const TopologyKey* key_of(const Topology& topology, std::string_view name);

/// Size of a network if it is known before it is built.
std::optional<TopologySize> size_of(const TopologyConfig& config);

/// Why a network is too large to be built ("more than 20000000 ports"); empty: it is not.
std::string size_problem(const TopologyConfig& config);

}  // namespace weft
