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
#include <vector>

#include "alltoall/schedule.h"

namespace weft::alltoall {

/// One pattern of a group.
struct GroupPattern {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t shift = 0;
};

/// Patterns that share the slots first ... first + degree - 1: one; on a torus two, or a whole bundle of diagonals.h.
struct SlotGroup {
  std::uint32_t first = 0;
  std::uint32_t degree = 0;
  std::vector<GroupPattern> patterns;
};

/// How a group's formula goes. colours: above. diagonals (diagonals.h): from (x, y) in slot first + (x + y - shift) mod
/// degree, straight patterns (a or b 0) included. reversed_diagonals: the same of the destination (x, y), with (width -
/// x) mod width + (height - y) mod height in the place of x + y.
enum class GroupRule { colours, diagonals, reversed_diagonals };

struct GroupsSchedule {
  GroupRule rule = GroupRule::colours;
  Schedule schedule;
  std::vector<SlotGroup> groups;  ///< by first slot; they fill the slots 0 ... group_slots - 1 without a gap
  std::uint32_t group_slots = 0;  ///< sum of the degrees
  std::uint32_t extra_slots = 0;  ///< behind them, for straight connections alone
  std::uint64_t riding = 0;       ///< straight connections in slots of groups
  std::uint64_t extra = 0;        ///< straight connections in extra slots
  /// Index of the group of a slot; groups.size() for an extra slot.
  std::uint32_t group_of(std::uint32_t slot) const;
};

/// Sizes of a grid that make_groups accepts.
inline constexpr std::uint32_t kSmallestSide = 2;
inline constexpr std::uint32_t kLargestSide = 64;

/// Both sides of the grid must lie in kSmallestSide ... kLargestSide.
GroupsSchedule make_groups(const Grid& grid);

/// Sum over the patterns of the degrees of a mesh's groups in closed form: slots of the groups without extra slots.
std::uint64_t mesh_group_slots(std::uint32_t width, std::uint32_t height);

}  // namespace weft::alltoall
