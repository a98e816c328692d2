#pragma once
// Checked configuration of one run: plain const data with defaults filled in, passed by const reference.
//
// The YAML keys, their types, units, ranges and defaults are declared once, in fabrics/tdm/keys/tdm_schema.cpp; from
// there come the reader, `weft describe` and configs/README.md. Locations are kept where later layers may still find an
// error (a node that does not exist, a full link), so that they can point into the user's file.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/collectives/program.h"
#include "algorithms/slots/allocation_options.h"
#include "base/diagnostics.h"
#include "base/ids.h"
#include "base/implementation.h"
#include "base/units.h"
#include "base/words.h"
#include "fabrics/tdm/keys/board_config.h"
#include "network/link_adapters.h"
#include "network/places.h"
#include "network/routing/routing_config.h"
#include "network/topology/topology.h"
#include "workload/arrivals.h"
#include "workload/workload.h"

namespace weft {

enum class SetupMode { central, preset, in_network };
template <>
inline constexpr auto kWords<SetupMode> = words("central", "preset", "in_network");

/// Implementation of each replaceable block of one switch.
struct SwitchImplementations {
  BlockChoice slot_lut;
  BlockChoice data_path;
  BlockChoice setup_unit;  ///< with setup in the network
};

struct SwitchInstances {
  SwitchRange range;
  std::optional<BlockChoice> slot_lut;
  std::optional<BlockChoice> data_path;
  std::optional<BlockChoice> setup_unit;
};

/// The interface of every host, and exceptions by node; later ones win.
struct HostInterfaceConfig {
  struct Instances {
    NodeRange range;
    BlockChoice choice;
  };
  BlockChoice all;
  std::vector<Instances> instances;

  const BlockChoice& of(NodeId node) const;
  bool all_models() const;
};

struct TdmSwitchConfig {
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

/// Slots of parallel links between two switches: of all together, or each link for itself.
enum class BundleSlots { together, apart };
template <>
inline constexpr auto kWords<BundleSlots> = words("together", "apart");

struct SlotsConfig {
  const Allocator* allocator = &kFirstFit;
  BundleSlots bundles = BundleSlots::together;  ///< where circuits come and go: apart unless given
  bool slot_update = false;
  std::uint64_t search_iterations = 0;
};

struct TdmSourcesConfig {
  Location where;
  const ArrivalProcess* arrivals = &kSaturatedArrivals;
  DataSize message;
  Duration interval;                      ///< periodic, poisson: (mean) time between messages of one circuit
  std::optional<std::uint64_t> messages;  ///< per circuit; unset: until `run.measure` ends
};

/// in_network: from `at` on a flow wants so many slots.
struct SlotChangeConfig {
  Duration at;
  std::uint32_t slots = 1;
};

/// Largest number of a node in a list of circuits; larger ones are more likely slips of the pen.
inline constexpr NodeId kMaxCircuitNode = 999'999;

/// One flow as written: all pairs of it use the same slots. Several destinations of one source are a multicast.
struct FlowConfig {
  Location where;
  std::string name;                                   ///< flow id
  std::string job;                                    ///< job id, may be empty
  std::vector<std::pair<NodeId, NodeId>> pairs;       ///< source, destination
  std::vector<std::pair<Location, Location>> places;  ///< where they are written, pair by pair
  std::uint32_t slots = 1;                            ///< m: slots this flow asks for
  std::optional<DataSize> message;                    ///< overrides sources.message
  // setup.mode in_network:
  Duration start;
  std::optional<std::uint64_t> messages;  ///< overrides sources.messages
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
  std::uint32_t wavelengths = 0;     ///< with alltoall, whose slots are spread over them; 0: not given
  std::uint32_t planes = 0;          ///< likewise
  std::uint32_t slots_per_flow = 1;  ///< m for pattern and circuits_file flows
  TdmSourcesConfig sources;
};

struct SetupConfig {
  SetupMode mode = SetupMode::central;
  Cycle processing = 1;        ///< t_proc: cycles one slot LUT request takes
  Cycle backoff = 64;          ///< in_network: first window of the wait after a refusal
  std::uint32_t routes = 4;    ///< in_network: routes tried
  std::uint64_t tries = 1000;  ///< in_network: refused in a row before a flow is given up
};

struct TdmRunConfig {
  Duration warm_up;  ///< messages generated before this are sent but not measured
  Duration measure;  ///< length of the measurement window after warm-up
};

struct WavesConfig {
  std::vector<SwitchRange> switches;  ///< empty: all
  WaveTimes times;
};

struct ObserveConfig {
  bool slot_trace = false;       ///< slot_trace.csv: one line per word and hop
  bool message_log = false;      ///< messages.csv: one line per measured message and destination
  std::optional<Cycle> profile;  ///< length of the windows of a profile
  WavesConfig waves;
};

/// What collectives of programs go over: messages on circuits between pairs of nodes, which stay, or circuits of their
/// own, which change with the program.
enum class CollectivesOver { messages, circuits };
template <>
inline constexpr auto kWords<CollectivesOver> = words("messages", "circuits");

/// Software overheads of messages at the nodes that run programs.
struct TdmEndpointsConfig {
  Location where;  ///< of what says how many nodes there are
  std::uint32_t nodes = 0;
  Cycle send_overhead = 0;
  Cycle receive_overhead = 0;
  Cycle combine = 0;  ///< per word
  CollectivesOver collectives = CollectivesOver::messages;
  collectives::CollectiveAlgorithms algorithms;  ///< of messages; their torus is that of the network's graph
};

struct TdmConfig {
  std::string file;  ///< as given by the user
  std::string title;
  std::uint64_t seed = 1;
  TopologyConfig topology;
  bool topology_is_valid = true;  ///< false: its errors have been reported, and nothing can be held against it
  RoutingConfig routing;
  TdmSwitchConfig tdm_switch;  ///< key `switch`; its serdes has the latency of boards in it
  HostInterfaceConfig host;
  BoardConfig board;
  SlotsConfig slots;
  SetupConfig setup;
  std::vector<PhaseConfig> phases;    ///< at least one; with programs just one, without circuits of its own
  std::vector<NodeProgram> programs;  ///< empty: none
  Workload workload;                  ///< streams and traces between nodes; programs stand above
  TdmEndpointsConfig endpoints;       ///< with programs
  std::vector<AdapterConfig> adapters;
  std::vector<FaultConfig> faults;
  TdmRunConfig run;  ///< of circuits with sources of their own
  ObserveConfig observe;

  bool has_traffic() const { return !workload.traffic.services.empty(); }
  /// Nodes send to each other over its endpoints; else each circuit has a source of its own.
  bool has_endpoints() const { return has_traffic() || !programs.empty(); }
  /// Circuits change with the programs.
  bool follows_programs() const { return !programs.empty() && endpoints.collectives == CollectivesOver::circuits; }
};

}  // namespace weft
