#include "network/topology/torus.h"

#include "network/topology/grid.h"

namespace weft {

const Topology& torus_topology() {
  static const Topology record{
      .name = "torus",
      .meaning = "grid whose dimensions are rings",
      .keys = grid_keys(2),
      .size = grid_size,
      .build = [](const TopologyConfig& config) { return build_grid(config, true); },
      .port_name = grid_port_name,
      .form = NetworkForm::torus,
      .circuit_routing = "dimension_order",
      .packet_routing = "dimension_order",
      .deadlock_advice = "use algorithm: dimension_order with ring: bubble or dateline",
      .wormhole_advice = "use algorithm: dimension_order with ring: dateline",
  };
  return record;
}

}  // namespace weft
