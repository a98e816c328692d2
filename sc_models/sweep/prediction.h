#pragma once
// Predicted length of runs, by which a sweep begins with the longest: a long run that begins last leaves the other
// cores idle. The prediction decides the order of runs only, never a result.

#include <cstddef>
#include <vector>

#include "sweep/plan.h"
#include "sweep/result_store.h"

namespace weft {

/// `work` (runs of the plan) with the longest first. A point with a stored run takes as long as its stored runs did, on
/// average; others by their offered work, scaled by that of the points that were measured. Equal ones keep their order.
std::vector<std::size_t> runs_by_length(const SweepPlan& plan, const std::vector<std::size_t>& work,
                                        const std::vector<ResultStore::Known>& known);

}  // namespace weft
