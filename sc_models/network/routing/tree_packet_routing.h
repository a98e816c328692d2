#pragma once
// Up and down a k-ary n-tree: up to a root that the source draws at random (Valiant and Brebner, STOC 1981), or only as
// far as the nearest common ancestor (NCA), with random ways up; down on the only way there is. Messages never turn up
// again, so there is no cycle. Numbers of switches and ports: network/topology/tree.h.

#include <memory>

#include "network/routing/packet_routing.h"
#include "network/routing/packet_routing_options.h"

namespace weft {

std::unique_ptr<PacketRouting> make_tree_packet_routing(const PacketRoutingOptions& options, const Graph& graph);

}  // namespace weft
