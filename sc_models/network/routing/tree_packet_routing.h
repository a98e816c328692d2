#pragma once
// Up and down a k-ary n-tree: up to a root that the source draws at random (Valiant and Brebner, STOC 1981), or only as
// far as the nearest common ancestor (NCA), with random ways up; down on the only way there is. Messages never turn up
// again, so there is no cycle. Numbers of switches and ports: network/topology/tree.h.

#include "network/routing/routing_algorithm.h"

namespace weft {

extern const RoutingAlgorithm kValiant;
extern const RoutingAlgorithm kNearestCommonAncestor;

}  // namespace weft
