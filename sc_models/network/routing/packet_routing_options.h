#pragma once
// Options of the routing of packets.

#include "network/routing/routing_config.h"

namespace weft {

struct PacketRoutingOptions {
  RoutingConfig routing;
  RingControl ring = RingControl::bubble;
  RouteTies ties = RouteTies::random;
};

}  // namespace weft
