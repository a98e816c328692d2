#pragma once
// Checked configuration of a packet network with quality of service (fabric: packet): plain const data with defaults
// filled in. Keys: fabrics/packet/keys/packet_schema.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/collectives/algorithms.h"
#include "algorithms/collectives/program.h"
#include "algorithms/qos/scheduler_type.h"
#include "base/implementation.h"
#include "base/words.h"
#include "fabrics/packet/common/lane_tables.h"
#include "fabrics/packet/common/parameters.h"
#include "fabrics/packet/common/switch_architecture.h"
#include "network/link_adapters.h"
#include "network/places.h"
#include "network/routing/routing_config.h"
#include "network/topology/topology.h"
#include "workload/traffic_config.h"
#include "workload/wave_trigger.h"

namespace weft {

struct LinkConfig {
  Location where;
  Rate rate;
  DataSize flit;
  Duration period;  ///< time of one flit on the link: one cycle
  Cycle delay = 1;
  Cycle credit_delay = 1;
  Location delay_where, credit_delay_where;

  LinkUnits units() const { return {flit, period, delay, credit_delay}; }
};

/// Exception by port to the implementation of a block.
struct PortInstances {
  PortRange range;
  BlockChoice block;
};

struct PacketSwitchConfig {
  Location where;
  const SwitchArchitecture* architecture = &kUsualArchitecture;
  OwnSwitchConfig own;                                                     ///< its own keys
  Cycle input = 1, routing = 1, allocation = 1, crossbar = 1, output = 1;  ///< stage latencies
  std::uint32_t crossbar_rate = 1;                                         ///< flits per cycle
  std::uint32_t iterations = 1;                                            ///< of an allocation
  LanePointer lane_pointer = LanePointer::on_grant;
  std::uint32_t input_buffer = 0, output_buffer = 0;  ///< flits
  Location input_buffer_where, output_buffer_where;
  Location crossbar_rate_where, iterations_where, output_where;
  Location egress_where;
  BlockChoice egress;                           ///< of all egress ports
  std::vector<PortInstances> egress_instances;  ///< later entries win
};

struct NicConfig {
  Location where;
  std::uint32_t buffer = 0;        ///< flits, sending side
  std::uint32_t input_buffer = 0;  ///< flits, receiving side
  Location buffer_where, input_buffer_where;
};

/// One service level.
struct LevelConfig : ServiceConfig {
  std::uint32_t packet = 1;             ///< flits, at most a message: what messages are cut into
  std::vector<std::uint32_t> lanes;     ///< VL per lane class of the routing
  std::vector<std::uint32_t> channels;  ///< vocabulary channels: SC per lane class
  std::uint32_t quantum = 0;            ///< drr: flits per round
  Location quantum_where;
  std::uint32_t share = 0;     ///< scfq: parts of the link, in relation to the others'
  std::uint32_t priority = 0;  ///< strict_priority: 0 is served first
};

/// Space of a VL in every buffer, in flits; unset: see docs.
struct LaneConfig {
  std::string key;  ///< of what says it, such as "qos.lane_space.0"; empty: nothing does
  std::optional<std::uint32_t> minimum;
  std::optional<std::uint32_t> maximum;
  Location minimum_where, maximum_where;
};

struct TableEntryConfig {
  Location where;
  std::uint32_t sl = 0;
  std::uint32_t weight = 0;  ///< credits
  Location weight_where;
};

/// Vocabulary channels: a virtual fabric, as one traffic class.
struct VirtualFabricConfig {
  std::string name;
  std::string traffic_class;
};

/// Contents of a wave file.
struct PacketWavesConfig {
  std::vector<PortRange> places;  ///< empty: all
  WaveTimes times;
};

/// How messages use the NICs of a node: packets take them in turn, or each NIC stands for a link of the node's switch.
enum class NicSpread { packets, links };
template <>
inline constexpr auto kWords<NicSpread> = words("packets", "links");

/// The nodes that run programs: NICs and software.
struct EndpointsConfig {
  Location where;  ///< of what says how many nodes there are
  std::uint32_t nodes = 0;
  std::uint32_t nics = 1;  ///< of a node
  NicSpread spread = NicSpread::packets;
  Location spread_where;
  std::uint32_t sl = 0;  ///< of their messages
  Cycle send_overhead = 0;
  Cycle receive_overhead = 0;
  Cycle combine = 0;                             ///< per flit and NIC
  collectives::CollectiveAlgorithms algorithms;  ///< their torus is that of the network's graph
};

struct PacketConfig {
  std::string file;
  std::string title;
  std::uint64_t seed = 1;
  TopologyConfig topology;
  RoutingConfig routing;
  RingControl ring = RingControl::bubble;
  Location ring_where;
  RouteTies ties = RouteTies::random;
  std::uint32_t lane_classes = 1;  ///< of the routing: VLs of each level
  bool deadlock_check = true;
  TrunkChoice trunk = TrunkChoice::first_free;
  Unroutable unroutable = Unroutable::discard;
  std::vector<AdapterConfig> adapters;
  std::vector<FaultConfig> faults;
  LinkConfig link;
  PacketSwitchConfig packet_switch;  ///< key `switch`
  NicConfig nic;
  std::vector<LevelConfig> levels;     ///< SL by index
  std::uint32_t lanes = 1;             ///< VLs in use
  std::vector<LaneConfig> lane_space;  ///< per VL
  std::vector<std::uint32_t>
      channel_lanes;  ///< vocabulary channels: SC2VL; SC beyond its end: the VL of the same number
  std::vector<LaneException> lane_maps;
  std::vector<VirtualFabricConfig> virtual_fabrics;
  Location scheduler_where;
  const SchedulerType* scheduler = &kDtableScheduler;
  Location table_where;
  std::vector<TableEntryConfig> table;  ///< dtable
  Location counter_bits_where;
  std::uint32_t counter_bits = 0;                  ///< dtable: 0 unbounded
  BlockChoice scheduler_block;                     ///< key `qos.<scheduler>`, of those that exist in RTL
  std::vector<PortInstances> scheduler_instances;  ///< later entries win
  Location high_where, low_where;
  std::vector<TableEntryConfig> high, low;  ///< ib_arbiter
  std::uint32_t limit_of_high_priority = 255;
  std::vector<StreamConfig> streams;
  std::string trace;  ///< CSV file of further messages, empty: none
  Location trace_where;
  std::vector<NodeProgram> programs;  ///< instead of traffic; empty: none
  EndpointsConfig endpoints;          ///< with programs
  RunConfig run;
  bool message_log = false;
  std::optional<Cycle> profile;  ///< length of its windows
  PacketWavesConfig waves;

  PacketRoutingOptions routing_options() const { return {routing, ring, ties}; }
};

}  // namespace weft
