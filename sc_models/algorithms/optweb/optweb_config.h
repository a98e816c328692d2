#pragma once
// Checked configuration of an OPTWEB network: the parts of a node and their latencies, the programs of the nodes. The
// keys are declared in fabrics/optweb/keys/optweb_schema.cpp.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/collectives/program.h"
#include "algorithms/dram/dram_config.h"
#include "algorithms/optweb/link_fifo.h"
#include "algorithms/optweb/neighbours.h"
#include "base/diagnostics.h"
#include "base/ids.h"
#include "base/implementation.h"
#include "base/units.h"
#include "base/words.h"
#include "network/link_adapters.h"
#include "network/places.h"

namespace weft {

/// data: bytes move; timing: only lengths do.
enum class OptwebMode { data, timing };
template <>
inline constexpr auto kWords<OptwebMode> = words("data", "timing");

enum class OptwebVerify { none, data };
template <>
inline constexpr auto kWords<OptwebVerify> = words("none", "data");

/// A dragonfly of the 64 links that an FPGA has at most, 22 groups of 44; a full mesh ends at 64.
inline constexpr std::uint32_t kMostOptwebNodes = 968;

/// full_mesh: a link between every two nodes; dragonfly: within groups, and between the same places of all groups;
/// hierarchy: the same with groups of groups.
enum class OptwebTopology { full_mesh, dragonfly, hierarchy };
template <>
inline constexpr auto kWords<OptwebTopology> = words("full_mesh", "dragonfly", "hierarchy");
/// Of a hierarchy: with four, what an instruction sends, keeps on the way and receives lies in quarters of an
/// interface.
inline constexpr std::size_t kMostOptwebLevels = 4;

/// Nodes outside of a group by way of which data of the group go on all paths.
enum class OptwebRelays { none, all };
template <>
inline constexpr auto kWords<OptwebRelays> = words("none", "all");

/// Collectives whose links are down when they begin: they wait, or go by way of another node of their group.
enum class OptwebDetour { none, relay };
template <>
inline constexpr auto kWords<OptwebDetour> = words("none", "relay");

namespace optweb {
/// Nodes a and b of a group go by way of a third one, in both directions.
struct Detour {
  NodeId a = 0;
  NodeId b = 0;
  NodeId by = 0;
  auto operator<=>(const Detour&) const = default;
};
}  // namespace optweb

/// Wiring of the fibres between nodes: a cable per pair, a fibre sheet (Parallel Optical Hub), a wavelength router.
enum class OptwebWiring { direct, p_oh, w_oh };
template <>
inline constexpr auto kWords<OptwebWiring> = words("direct", "p_oh", "w_oh");

/// When the clocks of nodes have their first edges: all at once, or each anywhere within a period.
enum class OptwebPhase { aligned, random };
template <>
inline constexpr auto kWords<OptwebPhase> = words("aligned", "random");

/// Memory behind an interface: words at the rate of the interface, or pseudo channels of HBM2 with banks and refresh.
enum class OptwebMemoryModel { rate, hbm2 };
template <>
inline constexpr auto kWords<OptwebMemoryModel> = words("rate", "hbm2");

enum class OptwebHostOp { read, write };
template <>
inline constexpr auto kWords<OptwebHostOp> = words("read", "write");

/// Latencies of the parts of a node, cycles of its clock; docs/optweb.md says where each comes from.
struct OptwebLatencies {
  Cycle dispatch = 0;      ///< M_DMAC: from the instruction to the first read request
  Cycle read = 0;          ///< memory: from the request to the first word at R#i
  Cycle write = 0;         ///< memory: from W#i to the acknowledgement that a fence waits for
  Cycle setup = 0;         ///< distributed switch: from the instruction to the paths being set
  Cycle notification = 0;  ///< sending a notification
  Cycle distributor = 0;   ///< sending side, R#i to the N x 1 switches
  Cycle select = 0;        ///< sending side, N x 1 switch to the link
  Cycle gate = 0;          ///< rendezvous: from the last notification to the first word that passes
  Cycle receive = 0;       ///< receiving side, N x N switch
  Cycle counter = 0;       ///< receiving side, word counter
  Cycle notified = 0;      ///< receiving side, register and check of notifications
  Cycle reduce = 0;        ///< receiving side, each level of the reduction unit
  Cycle report = 0;        ///< from a counter or register to the command sequencer
  Cycle transmit = 0;      ///< between switch and link IP, sending
  Cycle link_ip = 0;       ///< link IP, sender and receiver together
  Cycle receive_link = 0;  ///< between link IP and switch, receiving; data-active signal recognized
};

/// Clock of the serial-link IPs; links then have a payload of clock * bits * efficiency.
struct OptwebSerial {
  Frequency clock;
  std::uint32_t bits = 0;             ///< taken in a cycle of it
  std::uint64_t efficiency = 10'000;  ///< payload among them, 1/10,000
  OptwebPhase phase = OptwebPhase::aligned;
  optweb::LinkFifoShape fifo = {};  ///< between the clocks of node and IP, in each direction
};

/// Bit errors of links, and how they are found and repaired (algorithms/optweb/faults/link_timeline.h).
struct OptwebLinkErrors {
  Location where;
  double rate = 0;                ///< of the bits of words
  std::uint32_t check_bits = 32;  ///< of the check sum of a frame
};

struct OptwebLinkConfig {
  Rate rate;                           ///< payload of a link and direction
  std::optional<OptwebSerial> serial;  ///< none: words pass in step with the clock of the node
  std::uint32_t gap = 1;               ///< resting cycles between two runs of the data-active signal
  OptwebWiring wiring = OptwebWiring::direct;
  Duration hub;                ///< delay of the optical hub
  std::int64_t length_cm = 0;  ///< of fibre between two nodes
  Cycle propagation = 0;       ///< fibre and hub
  std::optional<OptwebLinkErrors> errors;
  std::uint64_t frame = 64;      ///< words of a frame; of links that fail or make errors
  Cycle turnaround = 0;          ///< from a bad frame to its answer, both ends together
  std::optional<Cycle> timeout;  ///< longest failure for which instructions wait
  OptwebDetour detour = OptwebDetour::none;
};

/// Difference of a node's clock from the nominal one.
struct OptwebClock {
  std::int64_t phase_fs = 0;    ///< of its first edge, femtoseconds, less than a period
  std::int64_t offset_ppb = 0;  ///< of its frequency, parts per billion
};

/// Access of the host of a node to its memory while programs run.
struct OptwebHostAccess {
  Location where;
  NodeId node = 0;
  Duration at;  ///< from the beginning of the run
  bool write = false;
  std::uint64_t address = 0;  ///< physical
  std::uint64_t bytes = 0;
};

/// Implementation of the replaceable blocks of a node.
struct OptwebImplementations {
  BlockChoice link_sync;
  BlockChoice stripe_address;
  BlockChoice command_sequencer;
  BlockChoice switch_control;
};

/// Box of a design, by the name under which a program or plug-in registers it (fabrics/optweb/user/box_catalog.h).
struct OptwebOwnBox {
  std::string name;
  Location where;
};

/// Own boxes of a node; nothing: Weft's, or none.
struct OptwebOwnBoxes {
  std::optional<OptwebOwnBox> reduction;
  std::optional<OptwebOwnBox> user_logic;
  std::optional<std::vector<OptwebOwnBox>> sent;      ///< in the order in which words pass them
  std::optional<std::vector<OptwebOwnBox>> received;  ///< likewise
};

/// Exceptions for some nodes.
struct OptwebInstances {
  NodeRange range;
  std::optional<BlockChoice> link_sync;
  std::optional<BlockChoice> stripe_address;
  std::optional<BlockChoice> command_sequencer;
  std::optional<BlockChoice> switch_control;
  OptwebOwnBoxes own_boxes = {};
};

struct OptwebConfig {
  std::string file;
  std::string title;
  std::uint64_t seed = 1;
  std::uint32_t nodes = 0;
  OptwebTopology topology = OptwebTopology::full_mesh;
  std::vector<std::uint32_t> levels;  ///< places at each, the lowest first: of a full mesh the nodes
  Frequency clock;
  Duration period;                  ///< nominal
  std::vector<OptwebClock> clocks;  ///< by node; empty: all are the nominal one
  std::uint32_t word_bytes = 0;
  std::uint64_t interface_bytes = 0;  ///< K: capacity of a memory interface
  std::uint32_t stripes = 0;          ///< memory I/Os, two interfaces each
  Rate interface_rate;                ///< of a memory interface, reading and writing together
  std::optional<dram::Config> hbm2;   ///< none: the interface alone
  std::uint64_t eager_buffer = 0;     ///< bytes per link
  std::uint32_t sequencer_depth = 0;
  OptwebImplementations all;
  OptwebOwnBoxes all_own_boxes;
  std::vector<OptwebInstances> instances;  ///< later entries win
  OptwebLatencies latencies;
  OptwebLinkConfig link;
  std::uint64_t multipath_from = 0;  ///< bytes from which `automatic` takes all paths
  OptwebRelays relays = OptwebRelays::none;
  OptwebMode mode = OptwebMode::data;
  OptwebVerify verify = OptwebVerify::none;
  std::vector<NodeProgram> programs;             ///< every node runs at most one of them
  bool measures = false;                         ///< the program was written by `measure`
  std::vector<OptwebHostAccess> host;            ///< as the file has them
  std::optional<optweb::Neighbours> neighbours;  ///< links of the network; none: they have errors
  std::vector<AdapterConfig> adapters;
  std::vector<Cycle>
      adapter_delays;               ///< by node and DMAC: cycles that adapters add to the link; empty: no link has any
  std::vector<FaultConfig> faults;  ///< places are those of adapters
  /// Routes of transfers by all paths, where links have failed, by program and instruction; others take all.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<NodeId>> routes;
  /// Detours of collectives, where links have failed, by program and instruction; others have none.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<optweb::Detour>> detours;

  /// FIFOs of the serial-link IPs have a depth.
  bool has_fifos() const { return link.serial && link.serial->fifo.depth > 0; }
  /// Links of a node; it has a DMAC for each, and one for itself.
  std::uint32_t links() const {
    std::uint32_t out = 0;
    for (const std::uint32_t places : levels) out += places - 1;
    return out;
  }
  /// Of a dragonfly; others have none.
  std::uint32_t groups() const { return topology == OptwebTopology::dragonfly ? levels.back() : 1; }
  /// Cycles that adapters add to the link between two nodes.
  Cycle adapter(NodeId a, NodeId b) const {
    return adapter_delays.empty()
               ? 0
               : adapter_delays[std::size_t{a} * neighbours->dmacs() + neighbours->dmac(a, b).value()];
  }
  OptwebImplementations implementations(NodeId node) const {
    OptwebImplementations out = all;
    for (const OptwebInstances& i : instances) {
      if (node < i.range.first || node > i.range.last) continue;
      if (i.link_sync) out.link_sync = *i.link_sync;
      if (i.stripe_address) out.stripe_address = *i.stripe_address;
      if (i.command_sequencer) out.command_sequencer = *i.command_sequencer;
      if (i.switch_control) out.switch_control = *i.switch_control;
    }
    return out;
  }
  OptwebOwnBoxes own_boxes(NodeId node) const {
    OptwebOwnBoxes out = all_own_boxes;
    for (const OptwebInstances& i : instances) {
      if (node < i.range.first || node > i.range.last) continue;
      if (i.own_boxes.reduction) out.reduction = i.own_boxes.reduction;
      if (i.own_boxes.user_logic) out.user_logic = i.own_boxes.user_logic;
      if (i.own_boxes.sent) out.sent = i.own_boxes.sent;
      if (i.own_boxes.received) out.received = i.own_boxes.received;
    }
    return out;
  }
};

}  // namespace weft
