#pragma once
// Lower bounds on the slots of an all-to-all schedule, and the load of every link.
//
// Link load: the connections over one link need a slot each. On a mesh, width - 1 - x of the destinations of the x + 1
// positions up to x lie behind the link from x to x + 1, in all rows: (x + 1)(width - 1 - x) * height connections,
// most in the middle: floor(width / 2) * ceil(width / 2) * height. On a torus with routes the shorter way all links of
// a direction carry the same; upwards, with k = floor(width / 2), 1 + 2 + ... + k = k(k + 1)/2 routes of a line, times
// height; downwards no more, since + is taken when both ways are as long. Columns likewise.
// Bisection: any routing; the connections across a cut that halves the grid over the links across it (a torus has twice
// as many). On a mesh that is the link load.
// Senders: every node sends to all others, one per slot.
// Source: Carpenter and Melhem (2013), "theoretical minimal scheduling"; the others are additions.

#include <cstdint>
#include <vector>

#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

struct Bounds {
  std::uint64_t bisection = 0;
  std::uint64_t link_load = 0;
  std::uint64_t sender = 0;
  /// The largest of them.
  std::uint64_t slots() const;
  /// The name of a bound that reaches slots(): "link load", "bisection" or "sender".
  const char* binding() const;
};

/// Closed forms.
Bounds lower_bounds(const Grid& grid);

/// Connections over each link, counted route by route; index as Resources::link. Links that do not exist have 0.
std::vector<std::uint64_t> count_link_loads(const Grid& grid);

/// Directed links between neighbours; a torus of two nodes in a dimension has two in each direction.
std::uint64_t link_count(const Grid& grid);

/// Links used by all connections together.
std::uint64_t total_hops(const Grid& grid);

}  // namespace weft::alltoall
