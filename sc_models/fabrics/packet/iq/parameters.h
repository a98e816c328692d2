#pragma once
// Parameters of the plain input-queued virtual-channel router, its NICs and links, in cycles and flits: what the model,
// the reference of the tests and the platform share. Semantics and timing: docs/iq_router.md.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "base/words.h"
#include "fabrics/packet/common/switch_architecture.h"
#include "network/graph.h"
#include "network/routing/packet_routing.h"

namespace weft {

extern const SwitchArchitecture kIqArchitecture;

/// Allocation of VCs and of the switch.
enum class IqAllocation : std::uint8_t {
  separable,  ///< inputs choose one request each, then outputs choose among the requests; round robin
  islip,      ///< all requests, outputs grant, inputs accept, several rounds (McKeown, IEEE/ACM ToN 7(2), 1999)
};
template <>
inline constexpr auto kWords<IqAllocation> = words("separable", "islip");

/// When an output VC can be given to the next packet.
enum class IqReuse : std::uint8_t {
  after_tail,  ///< once the tail has left
  when_empty,  ///< once all credits are back as well
};
template <>
inline constexpr auto kWords<IqReuse> = words("after_tail", "when_empty");

inline constexpr std::uint32_t kMostIqVcs = 32;
inline constexpr std::uint32_t kMostIqBuffer = 65535;
inline constexpr std::uint32_t kMostIqIterations = 16;
inline constexpr Cycle kMostIqLatency = 1000;
inline constexpr PortId kMostIqPorts = 256;

struct IqParameters {
  std::uint32_t vcs = 2;        ///< per input port, 1..32
  std::uint32_t buffer = 8;     ///< flits per VC, 1..65535
  Cycle buffer_write = 0;       ///< from arrival until a flit can be used, >= 0
  Cycle routing = 1;            ///< from a head at the front of its VC to its VC request, >= 0
  Cycle vc_allocation = 1;      ///< from the grant of a VC to the first switch request, >= 0
  Cycle switch_allocation = 1;  ///< from the grant of the switch until the flit enters the crossbar, >= 0
  Cycle crossbar = 1;           ///< from the input buffer to the link, >= 0
  Cycle link = 1;               ///< flight of a flit, >= 1
  Cycle credit = 1;             ///< from the departure of a flit until the sender can use its place, >= 1
  IqAllocation allocation = IqAllocation::separable;
  std::uint32_t iterations = 1;  ///< of iSLIP, 1..16
  IqReuse reuse = IqReuse::after_tail;
  Cycle longest_adapter = 0;  ///< most cycles that an adapter adds to a link, in either direction
  /// Input VCs of routers that are simulated together (iq_core.h), at least: half a MiB of state. Changes no result.
  std::uint32_t region = 4096;
};

/// Parameters of a configuration of this architecture.
const IqParameters& iq_parameters(const std::any& parameters);

/// Cycles from generation to delivery of a packet that meets nobody. Preconditions: hops (routers passed) and flits
/// >= 1.
Cycle zero_load_latency(const IqParameters& parameters, std::uint32_t hops, std::uint32_t flits);

/// A reason why a network cannot be built of these routers.
struct IqProblem {
  std::string key;  ///< what is wrong: "vcs", "stages.routing", "link.delay", ... as in a configuration; "topology"
  std::string text;
};

/// All of them: a parameter out of range, VCs that the lane classes do not divide, too many ports; else routing on
/// which wormholes can deadlock, unless `deadlocks` is false: find_deadlock() has been asked already.
std::vector<IqProblem> iq_problems(const IqParameters& parameters, const PacketRouting& routing, const Graph& graph,
                                   bool deadlocks = true);

}  // namespace weft
