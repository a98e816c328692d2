#pragma once
// Whether a grid has an all-to-all schedule of a given number of slots, as a satisfiability problem for CaDiCaL: one
// variable per connection and slot; every connection has a slot, and what shares a link, a sender or a receiver has
// different ones. Complete: without a time limit it always answers.

#include <atomic>

#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

enum class Possible { kYes, kNo, kUnknown };

/// Bytes that the solver takes, roughly; 0 when there are more than schedule_of accepts.
double formula_bytes(const Grid& grid, std::uint32_t slots);

/// Fills in `schedule` when the answer is yes; kUnknown when the time is up, `stop` is set or the problem is too large
/// (formula_bytes is 0). time_limit_s 0: none.
Possible schedule_of(const Grid& grid, std::uint32_t slots, double time_limit_s, Schedule& schedule,
                     const std::atomic<bool>& stop);

}  // namespace weft::alltoall
