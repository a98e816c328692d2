// All-to-all exchange on linear arrays, 1 x n and n x 1: the load of every link, the bounds and the schedule against
// closed forms and against routes that are counted here position by position.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/groups.h"
#include "algorithms/alltoall/method.h"
#include "algorithms/alltoall/verify.h"

namespace weft::alltoall {
namespace {

// A row and a column, routed either way.
std::vector<Grid> lines_of(std::uint32_t n) {
  return {{n, 1}, {1, n}, {n, 1, false, RouteOrder::kYFirst}, {1, n, false, RouteOrder::kYFirst}};
}

// Empty when every pair has one slot in which no other connection has its source, its destination or, in its
// direction, a position that it passes.
std::string conflict_on_line(const Schedule& schedule) {
  const std::uint32_t n = schedule.grid.nodes();
  std::set<std::tuple<std::uint32_t, char, std::uint32_t>> held;
  for (std::uint32_t s = 0; s < n; ++s) {
    for (std::uint32_t d = 0; d < n; ++d) {
      if (s == d) continue;
      const std::uint32_t slot = schedule.slot_of[s * n + d];
      const std::string pair = std::to_string(s) + "->" + std::to_string(d);
      if (slot >= schedule.slots) return pair + " has no slot";
      if (!held.emplace(slot, 's', s).second) return "sender of " + pair;
      if (!held.emplace(slot, 'd', d).second) return "receiver of " + pair;
      for (std::uint32_t at = std::min(s, d); at < std::max(s, d); ++at) {
        if (!held.emplace(slot, s < d ? '+' : '-', at).second) return "link of " + pair;
      }
    }
  }
  return "";
}

// The link from position x to x + 1 carries all pairs with a source up to x and a destination behind it, and as many
// the other way: (x + 1)(n - 1 - x), in the middle floor(n/2) * ceil(n/2).
TEST(AllToAllLines, LoadsAndBoundsInClosedForm) {
  for (std::uint32_t n = 2; n <= 64; ++n) {
    for (const Grid& g : lines_of(n)) {
      const std::string where = std::to_string(g.width) + "x" + std::to_string(g.height);
      const std::vector<std::uint64_t> loads = count_link_loads(g);
      const Resources resources(g);
      const std::uint32_t up = g.height == 1 ? 0 : 2;
      for (std::uint32_t x = 0; x + 1 < n; ++x) {
        const std::uint64_t load = std::uint64_t{x + 1} * (n - 1 - x);
        EXPECT_EQ(loads[resources.link(x, up)], load) << where;
        EXPECT_EQ(loads[resources.link(x + 1, up + 1)], load) << where;
      }
      const std::uint64_t middle = std::uint64_t{n / 2} * (n - n / 2);
      const Bounds bounds = lower_bounds(g);
      EXPECT_EQ(bounds.link_load, middle) << where;
      EXPECT_EQ(bounds.bisection, middle) << where;
      EXPECT_EQ(bounds.sender, n - 1) << where;
      EXPECT_EQ(bounds.slots(), std::max<std::uint64_t>(middle, n - 1)) << where;
      EXPECT_EQ(link_count(g), 2 * (n - 1)) << where;
      // Sum of all distances on a line, both directions: (n - 1) n (n + 1) / 3.
      EXPECT_EQ(total_hops(g), std::uint64_t{n - 1} * n * (n + 1) / 3) << where;
    }
  }
}

// The paper's theorem, P(a,0) in min(a, n - a) slots, pattern after pattern, is the bound for every n >= 2.
TEST(AllToAllLines, SchedulesMeetTheMiddleLink) {
  for (std::uint32_t n = 2; n <= 64; ++n) {
    std::uint32_t sum = 0;
    for (std::uint32_t a = 1; a < n; ++a) sum += std::min(a, n - a);
    EXPECT_EQ(sum, n / 2 * (n - n / 2)) << n;
    for (const Grid& g : lines_of(n)) {
      const Schedule made = make_groups(g).schedule;
      EXPECT_EQ(made.slots, std::max(sum, n - 1)) << n;
      EXPECT_TRUE(verify(made).ok()) << n;
      if (n <= 24 || n == 63) {
        EXPECT_EQ(conflict_on_line(made), "") << n;
      }
    }
  }
}

// The other methods know lines too, and have nothing to improve.
TEST(AllToAllLines, SearchAndExactKeepTheOptimum) {
  const std::atomic<bool> stop = false;
  for (const Method method : {Method::search, Method::exact}) {
    for (const Grid& g : {Grid{7, 1}, Grid{1, 8}}) {
      MethodOptions options;
      options.time_limit_s = 5;
      const ScheduleResult result = make_schedule(g, method, options, stop);
      EXPECT_EQ(result.schedule.slots, g.nodes() * g.nodes() / 4);
      EXPECT_EQ(result.lower_bound, result.schedule.slots);
      EXPECT_EQ(conflict_on_line(result.schedule), "");
    }
  }
}

// Two connections in one slot over the middle link are found, whichever way the line lies.
TEST(AllToAllLines, VerificationFindsASharedLink) {
  for (const Grid& g : {Grid{6, 1}, Grid{1, 6}}) {
    Schedule made = make_groups(g).schedule;
    made.slot_of[2 * 6 + 3] = made.slot_of[1 * 6 + 4];
    EXPECT_FALSE(verify(made).ok());
    EXPECT_NE(conflict_on_line(made), "");
  }
}

}  // namespace
}  // namespace weft::alltoall
