// The kinds of search one by one, and the memory that is known before they start.

#include <gtest/gtest.h>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/exact.h"
#include "algorithms/alltoall/method.h"
#include "algorithms/alltoall/search/slot_moves.h"
#include "algorithms/alltoall/verify.h"

namespace weft::alltoall {
namespace {

/// A slot for every connection.
Schedule one_by_one(const Grid& grid) {
  Schedule schedule{grid, 0, std::vector<std::uint32_t>(std::size_t{grid.nodes()} * grid.nodes(), kNoSlot)};
  for (std::uint32_t source = 0; source < grid.nodes(); ++source) {
    for (std::uint32_t destination = 0; destination < grid.nodes(); ++destination) {
      if (source != destination) schedule.slot_of[std::size_t{source} * grid.nodes() + destination] = schedule.slots++;
    }
  }
  return schedule;
}

// Every kind of search alone: valid schedules, shorter than the start, the same ones for a seed.
TEST(AlltoallMoves, EveryKindOfMovesShortens) {
  const Schedule start = one_by_one(Grid{4, 4});
  for (const SearchMoves moves : kAllSearchMoves) {
    SearchOptions options;
    options.moves = moves;
    options.time_limit_s = 0;
    options.iterations = 40'000;
    const std::atomic<bool> stop{false};
    const SearchResult result = search(start, options, nullptr, stop);
    EXPECT_TRUE(verify(result.best).ok()) << weft::to_string(moves);
    EXPECT_LE(result.best.slots, 20u) << weft::to_string(moves);
    EXPECT_EQ(search(start, options, nullptr, stop).best.slot_of, result.best.slot_of) << weft::to_string(moves);
  }
}

TEST(AlltoallKempe, EmptiesSlots) {
  for (const Grid& grid : {Grid{3, 3}, Grid{5, 3}, Grid{4, 4, true, RouteOrder::kYFirst}}) {
    Schedule schedule = one_by_one(grid);
    const auto bound = static_cast<std::uint32_t>(lower_bounds(grid).slots());
    const std::atomic<bool> stop{false};
    SearchBudget budget(0, 0, stop);
    RandomStream random(1, "test");
    kempe(schedule, bound, 60'000, 1e9, random, budget);
    EXPECT_TRUE(verify(schedule).ok());
    EXPECT_LE(schedule.slots, bound + bound / 4);
    EXPECT_LE(budget.used, 60'000u);
    const Schedule before = schedule;
    kempe(schedule, 1, 1000, 100, random, budget);  // no memory for its table
    EXPECT_EQ(schedule.slot_of, before.slot_of);
  }
}

TEST(AlltoallMethod, MemoryIsKnownBefore) {
  // The smallest table of all is slots x resources, which 64 x 64 has too many of; 16 x 16 is searched.
  EXPECT_GT(memory_estimate(Grid{64, 64}, Method::search).too_many, 24.0 * 65536 * 4096);
  EXPECT_EQ(memory_estimate(Grid{16, 16}, Method::search).too_many, 0);
  EXPECT_EQ(memory_estimate(Grid{64, 64}, Method::groups).too_many, 0);
  EXPECT_GT(memory_estimate(Grid{64, 64}, Method::groups).bytes, 4.0 * 4096 * 4096);
  EXPECT_LT(memory_estimate(Grid{6, 6}, Method::search).bytes, 100e6);
  EXPECT_EQ(memory_estimate(Grid{4, 4}, Method::exact).too_many, 0);
  EXPECT_GT(memory_estimate(Grid{64, 64}, Method::exact).too_many, 1e9);
  // The question for a proof: no formula of 10^8 literals is made.
  EXPECT_GT(formula_bytes(Grid{4, 4}, 15), 0);
  EXPECT_EQ(formula_bytes(Grid{20, 20}, 1000), 0);
}

}  // namespace
}  // namespace weft::alltoall
