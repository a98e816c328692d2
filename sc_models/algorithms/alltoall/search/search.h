#pragma once
// Search for all-to-all schedules with few slots. Any valid schedule is a start; the best one found so far is always
// at hand, and the same seed gives the same sequence of schedules on every machine: only where a time limit cuts it
// off depends on the clock. Method: docs/alltoall_search.md.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "algorithms/alltoall/schedule.h"
#include "base/words.h"

namespace weft::alltoall {

/// Kinds of search. All of them together is the default; the others are for comparing them, each alone.
enum class SearchMoves {
  all,        ///< recombined colourings that are symmetric, and repacking
  symmetric,  ///< tabu search on symmetric colourings, without recombination or repacking
  recombine,  ///< two parents, without symmetry
  tabu,       ///< tabu search on conflicts, nothing else
  kempe,      ///< Kempe chains (slot_moves.h)
  repack      ///< repacking of the emptiest slot (slot_moves.h)
};
}  // namespace weft::alltoall

namespace weft {
template <>
inline constexpr auto kWords<alltoall::SearchMoves> = words("all", "symmetric", "recombine", "tabu", "kempe", "repack");
}  // namespace weft

namespace weft::alltoall {

inline constexpr std::array<SearchMoves, 6> kAllSearchMoves = {SearchMoves::all,       SearchMoves::symmetric,
                                                               SearchMoves::recombine, SearchMoves::tabu,
                                                               SearchMoves::kempe,     SearchMoves::repack};

struct SearchOptions {
  SearchMoves moves = SearchMoves::all;
  std::uint64_t seed = 1;
  double time_limit_s = 600;     ///< wall clock; 0: none
  std::uint64_t iterations = 0;  ///< moves of single connections (or of orbits of them); 0: no bound
};

struct Progress {
  double seconds = 0;
  std::uint64_t iterations = 0;
  std::uint32_t slots = 0;        ///< of the best schedule so far
  std::uint32_t trying = 0;       ///< number of slots the search works on
  std::uint64_t conflicts = 0;    ///< fewest left with that many slots
  std::uint32_t lower_bound = 0;  ///< of the grid (bounds.h)
};

enum class SearchEnd {
  kBoundReached,
  kTimeLimit,
  kIterations,
  kStopped,
  kTooLarge  ///< the tables of the search would take more than 1 GiB; the start is the result
};

struct SearchResult {
  Schedule best;  ///< valid, never more slots than the start
  std::uint32_t lower_bound = 0;
  std::uint64_t iterations = 0;
  double seconds = 0;
  SearchEnd end = SearchEnd::kBoundReached;
};

/// Bytes that a search from a schedule of `slots` slots takes: its largest table that is small enough to be made. 0
/// when none is, and nothing could be tried.
double search_bytes(const Grid& grid, std::uint32_t slots);
/// Bytes of the smallest table that any of its kinds of search needs, whether that is made or not.
double smallest_search_bytes(const Grid& grid, std::uint32_t slots);

/// Improves `start`, which must be valid, until the bound is reached, the time or the moves are used up, or `stop`
/// becomes true. `progress` is called about twice a second and at every improvement.
SearchResult search(const Schedule& start, const SearchOptions& options,
                    const std::function<void(const Progress&)>& progress, const std::atomic<bool>& stop);

}  // namespace weft::alltoall
