#pragma once
// The fewest slots an all-to-all exchange of a small grid can have, proved: a schedule that meets a lower bound is its
// own certificate; where none does, a complete search shows that one slot less is impossible, or says that it does
// not know.

#include <atomic>

#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

struct ExactResult {
  Schedule schedule;              ///< the best found; valid
  std::uint32_t lower_bound = 0;  ///< proved: no schedule has fewer slots
  bool optimal = false;           ///< schedule.slots == lower_bound
  bool too_large = false;         ///< not optimal, and too large for the solver: there was only the search
  double seconds = 0;
};

/// Begins with the systematic schedule (groups.h), so never returns more slots than that. The time limit is wall clock;
/// 0: none. Ends early, with what it knows, when `stop` becomes true.
ExactResult exact(const Grid& grid, double time_limit_s, const std::atomic<bool>& stop);

}  // namespace weft::alltoall
