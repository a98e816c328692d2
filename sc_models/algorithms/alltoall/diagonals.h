#pragma once
// Systematic schedule of a torus from diagonals: patterns run together, each on one diagonal of senders.
//
// Pattern (a, b) sends from every node (x, y) to ((x + a) mod width, (y + b) mod height). Here a slot has of it the
// nodes with (x + y - start) mod width = k, one in every row, and width slots, k = 0 ... width - 1, have them all.
// Several patterns with starts of their own share these slots, a bundle. On a square torus all rows of a slot look
// alike but for a shift along the row, and so do all columns, so whether patterns go together is a question about one
// ring of links in either dimension: in the row y = k, pattern (a, b) holds the links from x = start on for its route
// along x and, in the column where it turns, those from the row on for its route along y; senders have different
// starts, receivers different start + a + b. Filling bundles is packing arcs on rings, whose links are all used when
// the bound is met. With width > height the columns of a slot differ, and each is looked at.
//
// Bundles are filled by first fit, the longest routes first. Up to kMostRepacked nodes other orders are tried too, and
// patterns then push each other out of fewer bundles for a fixed number of moves. Always the same result. Not in the
// paper.

#include <cstdint>
#include <vector>

#include "algorithms/alltoall/groups_schedule.h"

namespace weft::alltoall {

/// Largest grid, in nodes, whose bundles are repacked.
inline constexpr std::uint32_t kMostRepacked = 256;

/// Precondition: the grid is a torus and its sides lie in kSmallestSide ... kLargestSide.
GroupsSchedule make_diagonals(const Grid& grid);

}  // namespace weft::alltoall
