#include "network/topology/mesh.h"

#include "network/topology/grid.h"

namespace weft {

const Topology& mesh_topology() {
  static const Topology record{
      .name = "mesh",
      .meaning = "grid of any number of dimensions",
      .keys = grid_keys(1),
      .size = grid_size,
      .build = [](const TopologyConfig& config) { return build_grid(config, false); },
      .port_name = grid_port_name,
      .form = NetworkForm::mesh,
      .circuit_routing = "dimension_order",
      .packet_routing = "dimension_order",
      .deadlock_advice = "use algorithm: dimension_order",
  };
  return record;
}

}  // namespace weft
