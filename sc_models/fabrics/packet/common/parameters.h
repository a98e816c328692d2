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

/// When the port of a trunk (several links to one place) is chosen.
enum class TrunkChoice : std::uint8_t {
  first_free,  ///< at allocation: the first that is free and has room, in cyclic order from the input's pointer on
  at_routing,  ///< at RT, at random; the next one only if that port lacks room
};
template <>
inline constexpr auto kWords<TrunkChoice> = words("first_free", "at_routing");

/// at_routing: number whose remainder by the ports of a trunk is the port's offset, from the random number of the
/// message's source; another one at every switch.
constexpr std::uint32_t trunk_draw(std::uint32_t choice, SwitchId at) {
  std::uint64_t z = (std::uint64_t{at} + 1) * 0x9e3779b97f4a7c15ULL + choice;  // SplitMix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

/// When an input's round-robin pointer to its VLs moves on.
enum class LanePointer : std::uint8_t {
  on_grant,    ///< past the VL that is granted
  on_request,  ///< also past one whose request is lost
};
template <>
inline constexpr auto kWords<LanePointer> = words("on_grant", "on_request");

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
  std::uint32_t crossbar_rate = 1;  ///< flits per cycle of a port of the (first) crossbar
  std::uint32_t iterations = 1;     ///< of an allocation per cycle
  LanePointer lane_pointer = LanePointer::on_grant;
  TrunkChoice trunk = TrunkChoice::first_free;
  BufferShares input;      ///< per switch input port
  BufferShares output;     ///< per switch output port
  BufferShares nic;        ///< per NIC, sending side
  BufferShares nic_input;  ///< per NIC, receiving side
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
  std::uint16_t count = 1;  ///< in a central buffer of the OPA-like switch a rate: OpaSwitch::rate_in()
  VirtualLane lane = 0;
  bool enters_ring = false;     ///< bubble flow control applies: the message has not come along this ring
  std::uint8_t lane_class = 0;  ///< of the routing
  std::uint8_t channel = 0;     ///< service channel (SC), where there are any
};

}  // namespace weft
