#pragma once
// Lengths of the routes of a packet network, where they do not depend on what messages draw.

#include <cstdint>
#include <vector>

#include "network/routing/packet_routing.h"

namespace weft {

/// Links between switches on the routes from one switch to another, for all pairs of those that have nodes.
struct RouteLengths {
  static constexpr std::uint8_t kUnknown = 255;
  std::vector<std::uint32_t> place;  ///< per node: row and column of its switch
  std::uint32_t places = 0;
  std::vector<std::uint8_t> hops;  ///< [from * places + to]; kUnknown: there is no route
};

/// Nothing, that is no places, when routes of a pair differ in length, when they differ for the nodes of a switch, or
/// when the network is too large for a table.
RouteLengths route_lengths(const PacketRouting& routing, const Graph& graph);

}  // namespace weft
