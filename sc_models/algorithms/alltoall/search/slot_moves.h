#pragma once
// Moves of connections between the slots of a valid schedule, by which it loses slots: repacking and Kempe chains.

#include "algorithms/alltoall/schedule.h"
#include "algorithms/alltoall/search/search_budget.h"
#include "base/random.h"

namespace weft::alltoall {

// Taking slots out of a schedule, one at a time: the connections of the emptiest slot go to other slots, where they
// push out what they meet, which then needs a slot in turn, until everything has one again. It needs no symmetry and
// a table of slots times links only, so it serves grids of any size. Source: partial colouring, Blöchliger and
// Zufferey, "A graph coloring heuristic using partial solutions and a reactive tabu scheme" (2008).

/// Takes slots out of the schedule until the bound is reached or, for one slot, `moves` connections have been placed in
/// vain; the schedule is valid at all times. Does nothing when the table would take more than `most_bytes`.
void repack(Schedule& schedule, std::uint32_t bound, std::uint64_t moves, double most_bytes, RandomStream& random,
            SearchBudget& budget);

// Kempe chains: a schedule stays valid when two slots exchange a set of connections that is closed under conflicts
// between the two. Annealing over such exchanges prefers a few full slots to many half full ones (the sum of the
// squares of the slots' sizes grows), until some slot is empty and dropped. Source: Johnson, Aragon, McGeoch and
// Schevon, "Optimization by simulated annealing: graph coloring and number partitioning" (1991).

/// One cooling of `moves` exchanges from `schedule`, which must be valid and becomes the shortest one that was met; it
/// ends early at `bound` slots. Nothing happens when its table would take more than `most_bytes`.
void kempe(Schedule& schedule, std::uint32_t bound, std::uint64_t moves, double most_bytes, RandomStream& random,
           SearchBudget& budget);

}  // namespace weft::alltoall
