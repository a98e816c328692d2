#pragma once
// The systematic all-to-all schedule of a grid: regular, by formula, in time proportional to the number of connections.
//
// Pattern (a, b) sends from every node (x, y) to ((x + a) mod width, (y + b) mod height), 0 < a < width, 0 < b <
// height. On a mesh that is the paper's group G(a,b): the offset patterns P(a,b), P(a-width,b), P(a,b-height) and
// P(a-width,b-height). Every node sends once and receives once, so there are no conflicts but those of links, and
//
//   slot = first + (row colour(a, x) + column colour(b, y) + shift) mod degree,   degree = max(row degree, column
//   degree)
//
// has none of these: two connections of a slot in one row have equal column colours, hence equal row colours, which by
// line_patterns.h share no link; likewise two that turn into one column. That holds for both orders of routing.
//
// On a torus pattern (a, b) has only two of the four directions, so (width - a, height - b) runs in the same slots,
// moved by `shift` colours where a shift is found for which no node sends or receives twice in a slot. Bundles of
// diagonals (below) are nearly always shorter, and the shorter schedule is the result.
//
// Straight connections (within a row or a column) ride in what the groups leave free (straight.h), with slots of their
// own behind the groups only when that is full.
// A single row or column has straight connections only: the patterns, one after the other, take min(a, n - a) slots
// each, on a mesh floor(n * n / 4) in all, which is the load of the middle link. Source: Carpenter and Melhem,
// "Deterministic Multiplexing of NoC on Grid CMPs" (2013).

#include <cstdint>
#include <vector>

#include "algorithms/alltoall/groups_schedule.h"

namespace weft::alltoall {

/// Both sides of the grid must lie in kSmallestSide ... kLargestSide.
GroupsSchedule make_groups(const Grid& grid);

/// Sum over the patterns of the degrees of a mesh's groups in closed form: slots of the groups without extra slots.
std::uint64_t mesh_group_slots(std::uint32_t width, std::uint32_t height);

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

/// Largest grid, in nodes, whose bundles are repacked.
inline constexpr std::uint32_t kMostRepacked = 256;

/// Precondition: the grid is a torus and its sides lie in kSmallestSide ... kLargestSide.
GroupsSchedule make_diagonals(const Grid& grid);

}  // namespace weft::alltoall
