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

// Whether a grid has an all-to-all schedule of a given number of slots, as a satisfiability problem for CaDiCaL: one
// variable per connection and slot; every connection has a slot, and what shares a link, a sender or a receiver has
// different ones. Complete: without a time limit it always answers.

enum class Possible { kYes, kNo, kUnknown };

/// Bytes that the solver takes, roughly; 0 when there are more than schedule_of accepts.
double formula_bytes(const Grid& grid, std::uint32_t slots);

/// Fills in `schedule` when the answer is yes; kUnknown when the time is up, `stop` is set or the problem is too large
/// (formula_bytes is 0). time_limit_s 0: none.
Possible schedule_of(const Grid& grid, std::uint32_t slots, double time_limit_s, Schedule& schedule,
                     const std::atomic<bool>& stop);

}  // namespace weft::alltoall
