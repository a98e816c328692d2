#pragma once
// Proof that a routing of packets cannot deadlock, on the lane classes of the routing or on the VLs that messages take.

#include <cstdint>
#include <string>

#include "network/routing/packet_routing.h"

namespace weft {

/// Dependencies between the buffers (link and lane class) that messages wait for, over all destinations and choices.
/// Empty when they have no cycle, so that no deadlock is possible; else the links of one cycle, for people. Messages
/// inside a ring that bubble flow control keeps open do not count. Source: Dally and Seitz, IEEE ToC 36(5), 1987.
std::string find_deadlock(const PacketRouting& routing, const Graph& graph);

/// The same answer, for which nothing is taken from the form of the routing (PacketRouting::acyclic_by_form).
std::string search_deadlock(const PacketRouting& routing, const Graph& graph);

/// The same check on links and VLs. Bubbles are counted per VL, so a VL that changes inside a ring is named as well.
std::string find_deadlock(const PacketRouting& routing, const Graph& graph, const LaneChoice& lanes);

/// Seconds that find_deadlock() takes, estimated: each port of each switch is looked at for each destination, lane
/// class and level. `levels`: of the lanes; 0: lanes are the classes of the routing.
double deadlock_check_seconds(const PacketRouting& routing, const Graph& graph, std::uint32_t levels);

}  // namespace weft
