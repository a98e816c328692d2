#pragma once
// Configuration of an OPTWEB network: what the file may say (raw), and its step to the checked OptwebConfig.

#include <string>
#include <vector>

#include "fabrics/optweb/keys/optweb_errors.h"
#include "fabrics/optweb/keys/optweb_memory.h"
#include "fabrics/optweb/keys/optweb_serial.h"
#include "fabrics/optweb/keys/optweb_system_config.h"
#include "fabrics/optweb/keys/own_box_keys.h"
#include "network/keys/adapter_schema.h"
#include "network/keys/block_keys.h"
#include "network/keys/fault_schema.h"
#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"
#include "workload/workload_schema.h"

namespace weft {

struct RawOptwebClocks {
  Given<OptwebPhase> phase;
  Given<std::vector<Placed<Duration>>> phases;
  Given<std::uint64_t> tolerance;  ///< parts per billion
  Given<std::vector<Placed<std::int64_t>>> offsets;
};

struct RawOptwebHostAccess {
  Given<std::uint32_t> node;
  Given<OptwebHostOp> op;
  Given<CycleSpan> at;
  Given<std::uint32_t> stripe;
  Given<DataSize> address;
  Given<DataSize> size;
};

struct RawOptwebDmac {
  Given<CycleSpan> dispatch;
  Given<Implementation> stripe_address;
  Given<std::string> rtl;
};

struct RawOptwebSwitch {
  Given<CycleSpan> setup;
  Given<CycleSpan> notification;
  Given<CycleSpan> distributor;
  Given<CycleSpan> select;
  Given<CycleSpan> gate;
  Given<CycleSpan> receive;
  Given<CycleSpan> counter;
  Given<CycleSpan> notified;
  Given<CycleSpan> reduce;
  Given<CycleSpan> report;
  Given<DataSize> eager_buffer;
  Given<Implementation> implementation;
  Given<std::string> rtl;
};

struct RawOptwebSequencer {
  Given<std::uint32_t> depth;
  Given<Implementation> implementation;
  Given<std::string> rtl;
};

struct RawOptwebLink {
  Given<Rate> rate;
  Given<CycleSpan> transmit;
  Given<CycleSpan> ip;
  Given<CycleSpan> receive;
  Given<std::uint32_t> gap;
  Given<RawOptwebSerial> serial;
  Given<RawOptwebErrors> errors;
  Given<DataSize> frame;
  Given<CycleSpan> turnaround;
  Given<CycleSpan> timeout;
  Given<OptwebDetour> detour;
  Given<Implementation> implementation;
  Given<std::string> rtl;
};

struct RawOptwebInstance {
  Given<RawBlock> sequencer;
  Given<RawBlock> stripe_address;
  Given<RawBlock> link;
  Given<RawBlock> distributed_switch;
  Given<RawOwnBoxes> boxes;
};

struct RawOptwebWiring {
  Given<OptwebWiring> kind;
  Given<std::uint64_t> length;  ///< centimetres
  Given<Duration> hub;
};

struct RawOptwebMeasure {
  Given<std::vector<Placed<std::string>>> operations;
  Given<std::vector<Placed<DataSize>>> sizes;
};

/// The seed is also that of the memories.
struct RawOptweb : RawWorkload {
  Given<std::uint32_t> nodes;
  Given<OptwebTopology> topology;
  Given<std::uint32_t> groups;
  Given<std::vector<Placed<std::uint32_t>>> levels;
  Given<Frequency> clock;
  Given<RawOptwebClocks> clocks;
  Given<DataSize> word;
  Given<RawOptwebMemory> memory;
  Given<RawOptwebDmac> dmac;
  Given<RawOptwebSwitch> distributed_switch;
  Given<RawOptwebSequencer> sequencer;
  Given<RawOptwebLink> link;
  Given<RawOwnBoxes> boxes;
  Given<RawOptwebWiring> wiring;
  Given<RawAdapters> adapters;
  Given<RawFaults> faults;
  Given<std::vector<Named<RawOptwebInstance>>> instances;
  Given<DataSize> multipath_from;
  Given<OptwebRelays> multipath_relays;
  Given<OptwebMode> mode;
  Given<OptwebVerify> verify;
  Given<RawOptwebMeasure> measure;
  Given<std::vector<Placed<RawOptwebHostAccess>>> host;
};

Section<RawOptweb> optweb_section(const std::vector<std::string>& fabrics);
/// The program `measure` stands for; `common` has what all its instructions share: nodes and addresses. `place` sets
/// those addresses that depend on the operation.
std::vector<ProgramInstruction> measured_program(const RawOptwebMeasure& measure, const ProgramInstruction& common,
                                                 const std::function<void(ProgramInstruction&)>& place,
                                                 Diagnostics& diagnostics);
/// `programs`, in which all broadcasts and allreduces that may take all paths and relays (`multipath_relays`) say that
/// they receive at K/2 where nothing else says where: what rests at 3K/2 and what is received lie in different
/// interfaces then, and neither where the roots read.
RawPrograms with_relay_places(const RawPrograms& programs, const OptwebConfig& config);
OptwebSystemConfig resolve_optweb(const RawOptweb& raw, const ConfigDocument& document, Diagnostics& diagnostics);

}  // namespace weft
