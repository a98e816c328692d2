#pragma once
// Configuration of a packet network: what the file may say (raw), and its step to the checked PacketConfig.

#include <any>
#include <string>
#include <vector>

#include "fabrics/packet/keys/packet_config.h"
#include "network/keys/adapter_schema.h"
#include "network/keys/block_keys.h"
#include "network/keys/fault_schema.h"
#include "network/keys/network_schema.h"
#include "workload/program_schema.h"
#include "workload/traffic_schema.h"
#include "workload/wave_trigger.h"

namespace weft {

struct RawPacketRouting : RawRouting {
  Given<std::uint32_t> roots;
  Given<RingControl> ring;
  Given<RouteTies> ties;
  Given<bool> deadlock_check;
  Given<TrunkChoice> trunk;
  Given<Unroutable> no_way;
};

struct RawLink {
  Given<Rate> rate;
  Given<DataSize> flit;
  Given<CycleSpan> delay;
  Given<CycleSpan> credit_delay;
};

/// Keys of a block of ports that exists in RTL.
struct RawPortBlock {
  Given<Implementation> implementation;
  Given<std::string> rtl;
  Given<std::vector<Named<RawBlock>>> instances;
};

struct RawStages {
  Given<CycleSpan> input;
  Given<CycleSpan> routing;
  Given<CycleSpan> allocation;
  Given<CycleSpan> crossbar;
  Given<CycleSpan> output;
};

struct RawAllocation {
  Given<std::uint32_t> iterations;
  Given<LanePointer> lane_pointer;
};

struct RawPacketSwitch {
  Given<const SwitchArchitecture*> architecture;
  Given<RawStages> stages;
  Given<std::uint32_t> crossbar_rate;
  Given<RawAllocation> allocation;
  Given<DataSize> input_buffer;
  Given<DataSize> output_buffer;
  Given<RawPortBlock> egress;
  std::vector<Given<std::any>> own;  ///< sections of the architectures, in the order of their table

  /// Keys of its own that an architecture has; those of one without any are never given.
  const Given<std::any>& own_of(const SwitchArchitecture& wanted) const;
};

struct RawNic {
  Given<DataSize> buffer;
  Given<DataSize> input_buffer;
};

struct RawLevel {
  Given<DataSize> message;
  Given<DataSize> packet;
  Given<std::string> traffic_class;
  Given<std::vector<Placed<std::uint32_t>>> lanes;
  Given<std::vector<Placed<std::uint32_t>>> channels;
  Given<std::uint32_t> quantum;
  Given<std::uint32_t> share;
  Given<std::uint32_t> priority;
};

struct RawLaneSpace {
  Given<std::uint32_t> lane;
  Given<DataSize> minimum;
  Given<DataSize> maximum;
};

struct RawTableEntry {
  Given<std::string> sl;
  Given<std::uint32_t> weight;
};

struct RawDtable : RawPortBlock {
  Given<std::vector<Placed<RawTableEntry>>> table;
  Given<std::uint32_t> counter_bits;
};

struct RawIbArbiter : RawPortBlock {
  Given<std::vector<Placed<RawTableEntry>>> high;
  Given<std::vector<Placed<RawTableEntry>>> low;
  Given<std::uint32_t> limit_of_high_priority;
};

using RawNumbers = std::vector<Placed<std::uint32_t>>;

struct RawLaneMap {
  Given<std::string> at;
  Given<std::uint32_t> input;
  Given<std::vector<Named<RawNumbers>>> lanes;
  Given<std::vector<Named<RawNumbers>>> channels;
  Given<std::vector<Named<std::uint32_t>>> channel_lanes;
};

struct RawVirtualFabric {
  Given<std::string> traffic_class;
};

struct RawQos {
  Given<std::uint32_t> lanes;
  Given<std::vector<Placed<RawLaneMap>>> lane_maps;
  Given<std::vector<Named<RawVirtualFabric>>> virtual_fabrics;
  Given<std::vector<Named<RawLevel>>> levels;
  Given<std::vector<Placed<std::uint32_t>>> channel_lanes;
  Given<std::vector<Placed<RawLaneSpace>>> lane_space;
  Given<const SchedulerType*> scheduler;
  Given<RawDtable> dtable;
  Given<RawIbArbiter> ib_arbiter;
  Given<RawPortBlock> drr;
};

struct RawPacketStream : RawStream {
  Given<std::string> virtual_fabric;
};

struct RawPacketWaves : RawWaveTimes {
  Given<std::vector<Placed<PortRange>>> switches;
};

struct RawPacketObserve {
  Given<bool> message_log;
  Given<CycleSpan> profile;
  Given<RawPacketWaves> waves;
};

struct RawEndpoints : RawProgramSoftware {
  Given<std::uint32_t> nics;
  Given<NicSpread> spread;
  Given<std::string> level;
  Given<RawAlgorithms> algorithms;
};

struct RawPacketFabric : RawConfigPrograms {
  Given<std::size_t> fabric;
  Given<std::string> title;
  Given<std::vector<Placed<std::string>>> base;  ///< only described here; schema/document.h reads it
  Given<std::uint64_t> seed;
  Given<RawTopology> topology;
  Given<RawPacketRouting> routing;
  Given<RawLink> link;
  Given<RawPacketSwitch> packet_switch;
  Given<RawNic> nic;
  Given<RawQos> qos;
  Given<std::vector<Placed<RawPacketStream>>> traffic;
  Given<std::string> trace;
  Given<RawEndpoints> endpoints;
  Given<RawAdapters> adapters;
  Given<RawFaults> faults;
  Given<RawRun> run;
  Given<RawPacketObserve> observe;
};

Section<RawPacketFabric> packet_section(const std::vector<std::string>& fabrics);
PacketConfig resolve_packet(const RawPacketFabric& raw, const ConfigDocument& document, Diagnostics& diagnostics);

}  // namespace weft
