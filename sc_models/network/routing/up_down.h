#pragma once
// Up*/down* routing on any network: switches have an order, a message goes up some links and then down some, and never
// up again, so none waits in a cycle (Schroeder et al., IEEE JSAC 9(8), 1991). Of the routes that do so each pair of
// nodes takes a shortest one; where there are several ports, switch s takes number (d + s) mod their number for
// destination d.
//
// Order: where the switches stand in levels above those that have nodes (Clos networks, fat trees), higher levels are
// higher, and all switches of the highest level are roots. Elsewhere the distance from a root counts, then the lower
// number. With several roots (routing.roots) each has an order and a lane class of its own, and destination d goes by
// root d mod their number. The first root is the switch with the most links; each further one is the farthest from
// those before it.
//
// While links are down the order stays, and messages take the shortest of the routes that are left.

#include "network/routing/routing_algorithm.h"

namespace weft {

extern const RoutingAlgorithm kUpDown;

}  // namespace weft
