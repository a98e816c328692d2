#pragma once
// Schedule made of groups of patterns, as algorithms/alltoall/groups.h and algorithms/alltoall/groups.h build it.

#include <cstdint>
#include <vector>

#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

/// One pattern of a group.
struct GroupPattern {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t shift = 0;
};

/// Patterns that share the slots first ... first + degree - 1: one; on a torus two, or a whole bundle of groups.h.
struct SlotGroup {
  std::uint32_t first = 0;
  std::uint32_t degree = 0;
  std::vector<GroupPattern> patterns;
};

/// Formula of a group. colours: see groups.h. diagonals (groups.h): from (x, y) in slot first + (x + y - shift) mod
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

/// Sizes of a grid that has such a schedule.
inline constexpr std::uint32_t kSmallestSide = 1;
inline constexpr std::uint32_t kLargestSide = 64;

}  // namespace weft::alltoall
