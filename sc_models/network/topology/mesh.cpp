#include "network/topology/mesh.h"

#include "network/topology/grid.h"

namespace weft {

Graph build_mesh(const TopologyConfig& config) { return build_grid(config, false); }

}  // namespace weft
