#pragma once
// Straight connections (within a row or a column) put into the slots that the groups of groups.h leave free.
//
// Two methods. `fast`: whole straight patterns, the one of the largest degree first, look through the groups for free
// slots, beginning with the group whose lines of the same direction are idle for about as many slots as the pattern has
// colours; what finds no room gets slots behind the groups, first fit. `careful`, for small grids where that leaves
// something over: the connection with the fewest free slots first, into the slot that takes least from the others, for
// a growing number of extra slots until everything fits.

#include <cstdint>
#include <vector>

#include "algorithms/alltoall/groups_schedule.h"
#include "algorithms/alltoall/search/line_patterns.h"

namespace weft::alltoall {

/// Adds all straight connections to `result`, whose groups are already in its schedule.
void insert_straight(const LinePatterns& rows, const LinePatterns& columns, GroupsSchedule& result);

/// Only the careful method: true when all straight connections fit with `extra` slots behind the groups; then they are
/// in `result`, which is else as before.
bool insert_carefully(const LinePatterns& rows, const LinePatterns& columns, std::uint32_t extra,
                      GroupsSchedule& result);

}  // namespace weft::alltoall
