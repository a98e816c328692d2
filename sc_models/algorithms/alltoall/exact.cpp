#include "algorithms/alltoall/exact.h"

#include <algorithm>
#include <chrono>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/groups.h"
#include "algorithms/alltoall/search/search.h"

namespace weft::alltoall {
ExactResult exact(const Grid& grid, double time_limit_s, const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const bool limited = time_limit_s > 0;
  const auto left = [&](double part) { return limited ? std::max(part * (time_limit_s - seconds()), 1e-3) : 0; };
  const auto out_of_time = [&] { return stop || (limited && seconds() >= time_limit_s); };
  ExactResult result;
  result.schedule = make_groups(grid).schedule;
  result.lower_bound = static_cast<std::uint32_t>(lower_bounds(grid).slots());
  const auto improve = [&](std::uint64_t iterations, double time) {
    SearchOptions options;
    options.iterations = iterations;
    options.time_limit_s = time;
    result.schedule = search(result.schedule, options, nullptr, stop).best;
  };
  const auto open = [&] { return result.schedule.slots > result.lower_bound; };

  // A schedule that meets the bound is all the proof it takes, and where there is one the search mostly finds it soon.
  improve(1'000'000, left(0.5));
  Possible possible = Possible::kNo;
  while (open() && !out_of_time() && possible == Possible::kNo) {
    possible = schedule_of(grid, result.lower_bound, left(0.5), result.schedule, stop);
    if (possible == Possible::kNo) ++result.lower_bound;
  }
  // No proof within half of what was left: the rest goes into a better schedule.
  if (open() && limited && !out_of_time()) improve(0, left(1));
  result.optimal = !open();
  result.too_large = open() && formula_bytes(grid, result.lower_bound) == 0;
  result.seconds = seconds();
  return result;
}

}  // namespace weft::alltoall
