#pragma once
// Dragonfly (keys groups g, routers_per_group a, nodes_per_router p, global_links h per router): the
// routers of a group are fully connected, and every two groups are joined by global links.
//
// Router r of group i is switch i*a + r, its nodes are (i*a + r)*p + 0..p-1. Ports: 0..p-1 nodes; then a-1
// local ports to the other routers of the group in ascending order; then h global ports. Global port j = r*h
// + q of group i (q-th of router r) follows the palmtree arrangement (Camarero, Vallejo, Beivide:
// "Topological characterization of Hamming and dragonfly networks", ACM TACO 2014): it leads to group (i - o)
// mod g with o = j mod (g-1) + 1. A network smaller than the largest one (g < a*h + 1) has floor(a*h / (g-1))
// links between every two groups; ports left over stay free. Source: Kim, Dally, Scott, Abts:
// "Technology-driven, highly-scalable dragonfly topology", ISCA 2008.

#include "network/topology/topology.h"

namespace weft {

const Topology& dragonfly_topology();

}  // namespace weft
