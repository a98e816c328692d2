#pragma once
// Checked configuration of one run: plain const data with defaults filled in, passed by const reference.
//
// The YAML keys, their types, units, ranges and defaults are declared once, in config/fic_schema.cpp; from there come
// the reader, `weft describe` and configs/README.md. Locations are kept where later layers may still find an error
// (a node that does not exist, a full link), so that they can point into the user's file.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/ids.h"
#include "base/units.h"
#include "config/program_config.h"

namespace weft {

enum class Implementation { model, rtl, lockstep };
enum class TopologyKind { mesh, torus, tree, full_mesh, dragonfly, file };
enum class RoutingAlgorithm { dimension_order, shortest_path, valiant, nearest_common_ancestor };
enum class Allocator { first_fit, longest_first, dsatur, search };
enum class Arrivals { none, saturated, periodic, poisson };
enum class SetupMode { preset, central, in_network };

struct TopologyConfig {
  Location where;
  TopologyKind kind = TopologyKind::mesh;
  std::vector<std::uint32_t> dims;      ///< mesh, torus: switches per dimension, x first
  std::uint32_t nodes_per_switch = 1;   ///< mesh, torus
  std::uint32_t trunk = 1;              ///< mesh, torus: parallel links between neighbours
  std::uint32_t arity = 0;              ///< tree: k of the k-ary n-tree
  std::uint32_t levels = 0;             ///< tree: n of the k-ary n-tree
  std::uint32_t switches = 0;           ///< full_mesh: number of switches
  std::uint32_t groups = 0;             ///< dragonfly
  std::uint32_t routers_per_group = 0;  ///< dragonfly: a
  std::uint32_t nodes_per_router = 0;   ///< dragonfly: p
  std::uint32_t global_links = 0;       ///< dragonfly: h, global links per router
  std::string file;                     ///< file: path, resolved against the folder of the YAML that names it
};

struct RoutingConfig {
  Location where;
  RoutingAlgorithm algorithm = RoutingAlgorithm::dimension_order;
  std::vector<std::uint32_t> order;  ///< dimension_order: dimensions in the order they are corrected; x = 0
};

/// Which implementation each replaceable block of one switch has.
struct SwitchImplementations {
  Implementation slot_lut = Implementation::model;
  Implementation data_path = Implementation::model;
  bool operator==(const SwitchImplementations&) const = default;
};

/// Named switches: `sw[5]`, `sw[0..3]`.
struct SwitchRange {
  Location where;
  SwitchId first = 0;
  SwitchId last = 0;  ///< inclusive
};

/// Ports that are named together: `sw[0..3]`, `sw[5].port2`, `nic[7]`; for faults also `sw[1]-sw[2]`.
struct PortRange {
  Location where;
  bool nic = false;
  std::uint32_t first = 0;            ///< switch or NIC
  std::uint32_t last = 0;             ///< inclusive
  std::optional<std::uint32_t> port;  ///< of the switches; unset: all
  std::optional<std::uint32_t> peer;  ///< only the links of switch `first` to this switch
  std::string text;                   ///< as written
};

struct SwitchInstances {
  SwitchRange range;
  std::optional<Implementation> slot_lut;
  std::optional<Implementation> data_path;
};

struct FicSwitchConfig {
  Location where;
  Frequency clock;
  Duration period;                     ///< of the clock, whole picoseconds
  std::uint32_t slots = 0;             ///< S, slots per frame
  std::uint32_t lanes = 0;             ///< lanes per link
  std::int64_t lane_payload_bits = 0;  ///< payload bits per lane and cycle
  Cycle pipeline = 0;                  ///< constant latency of a switch's output stage
  Cycle serdes = 0;                    ///< constant latency of a link between switches
  Cycle reconfiguration = 0;           ///< t_c: cycles to write one slot's column of the shadow table
  SwitchImplementations all;
  std::vector<SwitchInstances> instances;  ///< later entries win

  std::int64_t word_bits() const { return lane_payload_bits * lanes; }
  SwitchImplementations implementations(SwitchId sw) const;
};

struct SlotsConfig {
  Allocator allocator = Allocator::first_fit;
  bool slot_update = false;
  std::uint64_t search_iterations = 0;
};

struct TrafficConfig {
  Location where;
  Arrivals arrivals = Arrivals::saturated;
  DataSize message;
  Duration interval;                      ///< periodic, poisson: (mean) time between messages of one circuit
  std::optional<std::uint64_t> messages;  ///< per circuit; unset: until `run.measure` ends
};

/// in_network: from `at` on a flow wants so many slots.
struct SlotChangeConfig {
  Duration at;
  std::uint32_t slots = 1;
};

/// One flow as written: all pairs of it use the same slots. Several destinations of one source are a multicast.
struct FlowConfig {
  Location where;
  std::string name;                                   ///< flow id
  std::string job;                                    ///< job id, may be empty
  std::vector<std::pair<NodeId, NodeId>> pairs;       ///< source, destination
  std::vector<std::pair<Location, Location>> places;  ///< where they are written, pair by pair
  std::uint32_t slots = 1;                            ///< m: slots this flow asks for
  std::optional<DataSize> message;                    ///< overrides traffic.message
  // setup.mode in_network:
  Duration start;
  std::optional<std::uint64_t> messages;  ///< overrides traffic.messages
  std::optional<Duration> duration;       ///< messages come for so long instead
  std::vector<SlotChangeConfig> changes;  ///< ascending, after start
};

/// A set of circuits that is in place at the same time, and what is sent over it.
struct PhaseConfig {
  Location where;
  std::string name;
  std::vector<FlowConfig> circuits;  ///< from a `circuits:` list or a `circuits_file`
  std::string pattern;               ///< or a named pattern, empty if none
  Location pattern_where;
  bool alltoall = false;             ///< or an all-to-all exchange in the slots of the systematic schedule
  std::string schedule_file;         ///< or in those of a file, empty if none
  Location schedule_where;           ///< of these two
  std::uint32_t slots_per_flow = 1;  ///< m for pattern and circuits_file flows
  TrafficConfig traffic;
};

struct SetupConfig {
  SetupMode mode = SetupMode::central;
  Cycle processing = 1;        ///< t_proc: cycles one slot LUT request takes
  Cycle backoff = 64;          ///< in_network: first window of the wait after a refusal
  std::uint32_t routes = 4;    ///< in_network: routes tried
  std::uint64_t tries = 1000;  ///< in_network: refused in a row before a flow is given up
};

/// Links, or all links of switches, fail at the beginning of cycle `down` and come back at `up`.
struct FaultConfig {
  std::string name;  ///< in messages: faults.3
  PortRange place;
  Cycle down = 0;
  std::optional<Cycle> up;
};

struct RunConfig {
  Duration warm_up;  ///< messages generated before this are sent but not measured
  Duration measure;  ///< length of the measurement window after warm-up
};

struct WavesConfig {
  std::vector<SwitchRange> switches;  ///< empty: all
  Duration from;
  std::optional<Duration> until;
};

struct ObserveConfig {
  bool slot_trace = false;  ///< slot_trace.csv: one line per word and hop
  WavesConfig waves;
};

/// What messages cost the nodes that run programs.
struct FicEndpointsConfig {
  Location where;  ///< of what says how many nodes there are
  std::uint32_t nodes = 0;
  Cycle send_overhead = 0;
  Cycle receive_overhead = 0;
  Cycle combine = 0;  ///< per word
};

struct FicConfig {
  std::string file;  ///< as given by the user
  std::string title;
  std::uint64_t seed = 1;
  TopologyConfig topology;
  bool topology_is_valid = true;  ///< false: its errors have been reported, and nothing can be held against it
  RoutingConfig routing;
  FicSwitchConfig fic_switch;  ///< key `switch`
  SlotsConfig slots;
  SetupConfig setup;
  std::vector<PhaseConfig> phases;    ///< at least one; with programs just one, without circuits of its own
  std::vector<NodeProgram> programs;  ///< empty: none
  FicEndpointsConfig endpoints;       ///< with programs
  std::vector<FaultConfig> faults;
  RunConfig run;
  ObserveConfig observe;
};

/// Key/value overrides of the command line, `a.b=value`, applied and checked like the file itself.
using Overrides = std::vector<std::string>;

/// Reads, merges (`base:`), overrides and checks a configuration. Throws InputError with every error found.
/// Warnings go to `diagnostics`.
FicConfig load_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics);

/// Same, for text that stands in no file (`name` is used in messages; relative paths are taken from `folder`).
FicConfig parse_config(const std::string& text, const std::string& name, const std::string& folder,
                       const Overrides& overrides, Diagnostics& diagnostics);

/// What `weft describe` prints: every key with type, unit, default, range and meaning.
std::string describe_text();
std::string describe_markdown();  ///< configs/README.md
std::string describe_json();

std::string to_string(Implementation);
std::string to_string(TopologyKind);
std::string to_string(RoutingAlgorithm);
std::string to_string(Allocator);
std::string to_string(Arrivals);
std::string to_string(SetupMode);

}  // namespace weft
