#pragma once
// Dimension order on meshes and tori whose neighbours are joined by trunks. The coordinates are corrected one dimension
// after the other; on a torus the shorter way round. A message may take any port of a trunk. Source: Dally and Towles,
// Principles and Practices of Interconnection Networks, 2003, sections 8.4 and 14.

#include <memory>

#include "network/routing/packet_routing.h"
#include "network/routing/routing_config.h"

namespace weft {

std::unique_ptr<PacketRouting> make_grid_packet_routing(const PacketRoutingOptions& options, const Graph& graph);

}  // namespace weft
