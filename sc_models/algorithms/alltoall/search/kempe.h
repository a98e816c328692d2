#pragma once
// Kempe chains: a schedule stays valid when two slots exchange a set of connections that is closed under conflicts
// between the two. Annealing over such exchanges prefers a few full slots to many half full ones (the sum of the
// squares of the slots' sizes grows), until some slot is empty and dropped. Source: Johnson, Aragon, McGeoch and
// Schevon, "Optimization by simulated annealing: graph coloring and number partitioning" (1991).

#include "algorithms/alltoall/schedule.h"
#include "algorithms/alltoall/search/search_budget.h"
#include "base/random.h"

namespace weft::alltoall {

/// One cooling of `moves` exchanges from `schedule`, which must be valid and becomes the shortest one that was met; it
/// ends early at `bound` slots. Nothing happens when its table would take more than `most_bytes`.
void kempe(Schedule& schedule, std::uint32_t bound, std::uint64_t moves, double most_bytes, RandomStream& random,
           SearchBudget& budget);

}  // namespace weft::alltoall
