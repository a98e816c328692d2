#pragma once
// What mesh and torus share: switches numbered x + k_x*y + k_x*k_y*z + ..., one end node of the same number
// per switch at port 0, and per dimension d a + port (1 + 2d) and a - port (2 + 2d).

#include "config/config.h"
#include "topology/graph.h"

namespace weft {

/// Most switches any builder makes; larger numbers are more likely slips of the pen than networks.
inline constexpr std::uint64_t kMostSwitches = 1u << 20;

/// Throws InputError at config.where when there are no dimensions, one is 0, or there are too many switches.
Graph build_grid(const TopologyConfig& config, bool torus);

}  // namespace weft
