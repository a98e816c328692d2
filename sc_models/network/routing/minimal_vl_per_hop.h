#pragma once
// Minimal routing with a lane class (VL) per hop: a message changes to the next class with each link, so messages wait
// only for higher classes and never in a cycle (Guenther, IEEE Transactions on Communications 29(4), 1981). It takes
// as many classes as the longest route has links between switches. Routes are those of shortest_path.
//
// On a dragonfly routes are local - global - local (or a part of that), over one of the links that join the two groups:
// destination d takes link d mod their number. Classes count the links of a kind: a message changes to the second one
// with its global link, so two are enough (Kim, Dally, Scott, Abts, ISCA 2008, section 4.1).

#include "network/routing/routing_algorithm.h"

namespace weft {

/// Most lane classes there are: VLs of a port without that of management.
inline constexpr std::uint32_t kMaxLaneClasses = 31;

/// Making the routing throws InputError when the network needs more classes than that.
extern const RoutingAlgorithm kMinimalVlPerHop;

}  // namespace weft
