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
// diagonals (diagonals.h) are nearly always shorter, and the shorter schedule is the result.
//
// Straight connections (within a row or a column) ride in what the groups leave free (straight.h), with slots of their
// own behind the groups only when that is full.
// Source: Carpenter and Melhem, "Deterministic Multiplexing of NoC on Grid CMPs" (2013).

#include <cstdint>

#include "algorithms/alltoall/groups_schedule.h"

namespace weft::alltoall {

/// Both sides of the grid must lie in kSmallestSide ... kLargestSide.
GroupsSchedule make_groups(const Grid& grid);

/// Sum over the patterns of the degrees of a mesh's groups in closed form: slots of the groups without extra slots.
std::uint64_t mesh_group_slots(std::uint32_t width, std::uint32_t height);

}  // namespace weft::alltoall
