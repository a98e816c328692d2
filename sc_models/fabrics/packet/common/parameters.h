#pragma once
// Parameters of packet switches, NICs and links, in cycles and flits: what the models, the flit-by-flit reference of
// the tests and the platform share. Semantics and timing: docs/packet_switches.md.

#include <any>
#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"
#include "base/ids.h"
#include "base/units.h"
#include "base/words.h"

namespace weft {

using VirtualLane = std::uint8_t;
inline constexpr std::uint32_t kMaxLanes = 32;  ///< virtual lanes (VLs) of a port
inline constexpr std::uint32_t kFewLanes = 8;   ///< state of so many VLs lies in a port itself
inline constexpr PortId kMaxPacketPorts = 256;  ///< ports of a packet switch
static_assert(kMaxPacketPorts <= 256, "their numbers fit a byte");
inline constexpr DataSize kMaxPacketBuffer{8LL * 1024 * 1024 * 1024};  ///< 1 GiB
inline constexpr std::uint32_t kMaxFlitsPerCycle = 64;                 ///< of a transfer inside a switch

struct SwitchArchitecture;
extern const SwitchArchitecture kIbArchitecture;
inline constexpr const SwitchArchitecture& kUsualArchitecture = kIbArchitecture;  ///< when nobody says which

/// Latency of each pipeline stage in cycles. Sums that cross a module boundary are at least 1.
struct StageLatencies {
  Cycle input = 1;       ///< IB: write into the input buffer, >= 0
  Cycle routing = 1;     ///< RT: routing of the head, >= 0
  Cycle allocation = 1;  ///< VA-SA: from the grant to the first flit on the crossbar, >= 1
  Cycle crossbar = 1;    ///< X: from input (or central) buffer to the next buffer, >= 0
  Cycle output = 1;      ///< OB: from the scheduler's decision to the first flit on the link, >= 1
  Cycle link = 1;        ///< flight of a flit, >= 1
  Cycle credit = 1;      ///< flight of a credit, >= 1
};

/// Space of one buffer that its VLs share: each has a guaranteed minimum and a maximum, in flits.
struct BufferShares {
  std::uint32_t capacity = 0;
  std::vector<std::uint32_t> minimum;  ///< per VL; the sum is at most capacity
  std::vector<std::uint32_t> maximum;  ///< per VL; minimum <= maximum <= capacity
};

struct PacketParameters {
  const SwitchArchitecture* architecture = &kUsualArchitecture;
  std::any own;              ///< parameters that the architecture has beside these
  std::uint32_t lanes = 1;   ///< VLs in use
  std::uint32_t levels = 1;  ///< SLs in use
  StageLatencies stages;
  std::uint32_t crossbar_rate = 1;  ///< flits per cycle of a transfer over the (first) crossbar
  BufferShares input;               ///< per switch input port
  BufferShares output;              ///< per switch output port
  BufferShares nic;                 ///< per NIC, sending side
  BufferShares nic_input;           ///< per NIC, receiving side
  /// Cycles that an adapter adds to each directed link, by its number, for data as for credits; empty: none has any.
  std::vector<Cycle> adapters;
  /// Bubble flow control: flits that must stay free in the output VL when a message enters a ring; the largest
  /// message of that VL.
  std::vector<std::uint32_t> bubble;  ///< per VL
  /// Bubble flow control: places that a message takes at least in the buffers of switches and NICs, those beyond its
  /// own flits until its last flit leaves. With the largest message of the VL no place that is left is too small for a
  /// message. 0, or no entry: as many as it has flits.
  std::vector<std::uint32_t> least_places;  ///< per VL
  /// Flits from which on a message takes no more places than that, on any VL of its SL. No entries: nobody knows.
  std::vector<std::uint32_t> whole_size;  ///< per SL
};

/// Treatment of a message whose route is broken.
enum class Unroutable { discard, wait };
template <>
inline constexpr auto kWords<Unroutable> = words("discard", "wait");

/// Outputs by which a routed message may leave a switch: ports [first, first + count), any of them (a trunk), on one
/// VL. A count of 0: it has no route, which only happens when links are down.
struct PacketHop {
  PortId first = 0;
  std::uint16_t count = 1;
  VirtualLane lane = 0;
  bool enters_ring = false;     ///< bubble flow control applies: the message has not come along this ring
  std::uint8_t lane_class = 0;  ///< of the routing
  std::uint8_t channel = 0;     ///< service channel (SC), where there are any
};

}  // namespace weft
