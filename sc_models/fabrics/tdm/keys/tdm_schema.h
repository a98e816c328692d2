#pragma once
// Configuration of a FiC fabric: what the file may say (raw), and its step to the checked TdmConfig.
//
// Raw structs hold each value as it was written, with its place. resolve_tdm makes the checks that need more
// than one key (which keys belong to a topology kind, flows named twice, what a phase inherits) and drops the
// raw form.

#include <string>
#include <vector>

#include "algorithms/slots/allocation_options.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "network/keys/adapter_schema.h"
#include "network/keys/block_keys.h"
#include "network/keys/fault_schema.h"
#include "network/keys/network_schema.h"
#include "network/places.h"
#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"
#include "workload/arrivals.h"
#include "workload/workload_schema.h"

namespace weft {

struct RawInstance {
  Given<RawBlock> slot_lut;
  Given<RawBlock> data_path;
  Given<RawBlock> setup_unit;
};

struct RawSwitch {
  Given<Frequency> clock;
  Given<std::uint32_t> slots;
  Given<std::uint32_t> lanes;
  Given<DataSize> lane_payload;
  Given<CycleSpan> pipeline;
  Given<CycleSpan> serdes;
  Given<CycleSpan> reconfiguration;
  Given<RawBlock> slot_lut;
  Given<RawBlock> data_path;
  Given<RawBlock> setup_unit;
  Given<std::vector<Named<RawInstance>>> instances;
};

struct RawHostInterface : RawBlock {
  Given<std::vector<Named<RawBlock>>> instances;
};

struct RawSlots {
  Given<const Allocator*> allocator;
  Given<bool> slot_update;
  Given<BundleSlots> bundles;
  Given<std::uint64_t> search_iterations;
};

struct RawSetup {
  Given<SetupMode> mode;
  Given<CycleSpan> processing;
  Given<CycleSpan> backoff;
  Given<std::uint32_t> routes;
  Given<std::uint64_t> tries;
};

struct RawSlotChange {
  Given<CycleSpan> at;
  Given<std::uint32_t> slots;
};

struct RawSources {
  Given<const ArrivalProcess*> arrivals;
  Given<DataSize> message;
  Given<Duration> interval;
  Given<std::uint64_t> messages;
};

struct RawFlow {
  Given<NodeId> source;
  Given<NodeId> destination;
  Given<std::vector<Placed<NodeId>>> destinations;
  Given<std::vector<Placed<std::vector<Placed<NodeId>>>>> pairs;
  Given<std::string> flow;
  Given<std::string> job;
  Given<std::uint32_t> slots;
  Given<DataSize> message;
  Given<CycleSpan> start;
  Given<std::uint64_t> messages;
  Given<CycleSpan> duration;
  Given<std::vector<Placed<RawSlotChange>>> changes;
};

/// The circuits of one phase; the keys of a phase, and those at the top level when there is only one.
struct RawPhase {
  Given<std::string> name;
  Given<std::vector<Placed<RawFlow>>> circuits;
  Given<std::string> circuits_file;
  Given<std::string> pattern;
  Given<std::size_t> alltoall;
  Given<std::uint32_t> wavelengths;
  Given<std::uint32_t> planes;
  Given<std::string> schedule_file;
  Given<std::uint32_t> slots_per_flow;
  Given<RawSources> sources;
};

struct RawWaves : RawWaveTimes {
  Given<std::vector<Placed<SwitchRange>>> switches;
};

struct RawObserve : RawWorkloadRecords {
  Given<bool> slot_trace;
  Given<RawWaves> waves;
};

struct RawBoard {
  Given<std::uint32_t> links;
  Given<std::uint32_t> lanes;
  Given<Rate> lane_rate;
  Given<Frequency> serial_clock;
  Given<DataSize> serial_width;
  Given<CycleSpan> crossing;
  Given<CycleSpan> code;
  Given<std::uint32_t> memories;
  Given<Rate> memory_rate;
  Given<Rate> logic_rate;
  Given<BoardUnit> source;
  Given<BoardUnit> sink;
  Given<bool> shared;
};

struct RawTdmEndpoints : RawProgramSoftware {
  Given<CollectivesOver> collectives;
  Given<RawAlgorithms> algorithms;
};

/// With endpoints and records of its own instead of those of a RawWorkload.
struct RawTdm : RawPhase, RawWorkload {
  Given<RawTopology> topology;
  Given<RawRouting> routing;
  Given<RawSwitch> tdm_switch;
  Given<RawHostInterface> host_interface;
  Given<BoardKind> board;
  Given<RawBoard> fic_board;
  Given<RawSlots> slots;
  Given<RawSetup> setup;
  Given<std::vector<Placed<RawPhase>>> phases;
  Given<RawTdmEndpoints> endpoints;
  Given<RawAdapters> adapters;
  Given<RawFaults> faults;
  Given<RawObserve> observe;
};

/// Declares every key of a FiC configuration. `fabrics`: the words the key `fabric` knows.
Section<RawTdm> tdm_section(const std::vector<std::string>& fabrics);

/// Makes `sources` of each map `traffic`, as earlier versions called it, at the top level and in phases, and warns at
/// the first of them. The map wins over `sources` beside it, unless it comes from a base of the file that has
/// `sources`. An error when they come from two bases, since a tree does not say which of these comes later.
void renew_sources(YamlNode& root, Diagnostics& diagnostics);

/// Checks what involves several keys and fills in the result; reports to `diagnostics`.
TdmConfig resolve_tdm(const RawTdm& raw, const ConfigDocument& document, Diagnostics& diagnostics);

// Parts of resolve_tdm, one file each.
TdmSwitchConfig resolve_switch(const Given<RawSwitch>& section, Diagnostics& diagnostics);
HostInterfaceConfig resolve_host_interface(const RawHostInterface& raw, Diagnostics& diagnostics);
Section<RawBoard> board_section();
BoardConfig resolve_board(const RawTdm& raw, const TdmSwitchConfig& sw, Diagnostics& diagnostics);
std::vector<PhaseConfig> resolve_phases(const RawTdm& raw, const ConfigDocument& document, Diagnostics& diagnostics);
/// Programs and their nodes, into `out`, whose network and clock are known; what does not go together with them.
void resolve_tdm_programs(const RawTdm& raw, const ConfigDocument& document, TdmConfig& out, Diagnostics& diagnostics);
/// The keys that say which circuits there are and what they carry, which traffic and programs say themselves.
std::vector<NamedKey> circuit_keys(const RawTdm& raw);
/// Streams and traces, into `out`, whose network and clock are known; what does not go together with them.
void resolve_tdm_traffic(const RawTdm& raw, const ConfigDocument& document, TdmConfig& out, Diagnostics& diagnostics);
/// Keys of a flow about circuits that come and go; only for setup.mode in_network. `path`: of the flow.
void resolve_coming_and_going(const RawFlow& raw, const RawTdm& top, const std::string& path, FlowConfig& flow,
                              Diagnostics& diagnostics);
/// Checks of keys that setup.mode in_network fixes.
void check_in_network(const RawTdm& raw, const std::vector<PhaseConfig>& phases, Diagnostics& diagnostics);

}  // namespace weft
