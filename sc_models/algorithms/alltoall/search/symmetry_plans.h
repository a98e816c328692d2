#pragma once
// Which symmetries a search asks of its schedules, from the most promising plan to none at all.

#include "algorithms/alltoall/search/orbit_coloring.h"

namespace weft::alltoall {

/// Plans for a schedule of `slots` slots; the last one is without any symmetry.
std::vector<SymmetryPlan> symmetry_plans(const Grid& grid, std::uint32_t slots);

}  // namespace weft::alltoall
