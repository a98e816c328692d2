#include "network/topology/torus.h"

#include "network/topology/grid.h"

namespace weft {

Graph build_torus(const TopologyConfig& config) { return build_grid(config, true); }

}  // namespace weft
