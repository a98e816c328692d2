#pragma once
// Taking slots out of a schedule, one at a time: the connections of the emptiest slot go to other slots, where they
// push out what they meet, which then needs a slot in turn, until everything has one again. It needs no symmetry and
// a table of slots times links only, so it serves grids of any size. Source: partial colouring, Blöchliger and
// Zufferey, "A graph coloring heuristic using partial solutions and a reactive tabu scheme" (2008).

#include "algorithms/alltoall/schedule.h"
#include "algorithms/alltoall/search/search_budget.h"
#include "base/random.h"

namespace weft::alltoall {

/// Takes slots out of the schedule until the bound is reached or, for one slot, `moves` connections have been placed in
/// vain; the schedule is valid at all times. Does nothing when the table would take more than `most_bytes`.
void repack(Schedule& schedule, std::uint32_t bound, std::uint64_t moves, double most_bytes, RandomStream& random,
            SearchBudget& budget);

}  // namespace weft::alltoall
