#include "algorithms/alltoall/method.h"

#include <algorithm>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/exact.h"

namespace weft::alltoall {

ScheduleResult make_schedule(const Grid& grid, Method method, const MethodOptions& options,
                             const std::atomic<bool>& stop) {
  ScheduleResult out;
  out.lower_bound = lower_bounds(grid).slots();
  if (method == Method::exact) {
    ExactResult result = exact(grid, options.time_limit_s, stop);
    out.schedule = std::move(result.schedule);
    out.lower_bound = std::max<std::uint64_t>(out.lower_bound, result.lower_bound);
    out.stopped = !result.optimal && stop;
    out.too_large = result.too_large;
    out.out_of_time = !result.optimal && !stop && !result.too_large;
    return out;
  }
  GroupsSchedule groups = make_groups(grid);
  if (method == Method::groups) {
    out.schedule = std::move(groups.schedule);
    groups.schedule = Schedule{grid, out.schedule.slots, {}};
    out.groups = std::move(groups);
    return out;
  }
  out.start_slots = groups.schedule.slots;
  SearchOptions search_options;
  search_options.moves = options.moves;
  search_options.seed = options.seed;
  search_options.time_limit_s = options.time_limit_s;
  const auto progress = [&](const Progress& p) {
    if (options.progress) options.progress(p);
  };
  SearchResult result = search(groups.schedule, search_options, progress, stop);
  out.schedule = std::move(result.best);
  out.search_moves = result.iterations;
  out.stopped = result.end == SearchEnd::kStopped;
  out.out_of_time = result.end == SearchEnd::kTimeLimit;
  out.too_large = result.end == SearchEnd::kTooLarge;
  return out;
}

MemoryEstimate memory_estimate(const Grid& grid, Method method) {
  const double nodes = grid.nodes();
  // groups: slot of each connection and their order by slot, a word per resource of some hundred groups.
  MemoryEstimate out{nodes * nodes * 3 * 4 + 200.0 * 6 * 8 * nodes + 16e6, 0};
  if (method == Method::groups) return out;
  const auto bound = static_cast<std::uint32_t>(lower_bounds(grid).slots());
  // Both begin with the systematic schedule; the solver looks for one of the lower bound.
  const std::uint32_t slots = std::max(bound, static_cast<std::uint32_t>(mesh_group_slots(grid.width, grid.height)));
  const double tables = std::max(search_bytes(grid, slots), method == Method::exact ? formula_bytes(grid, bound) : 0.0);
  out.bytes += tables;
  if (tables == 0) out.too_many = smallest_search_bytes(grid, slots);
  return out;
}

}  // namespace weft::alltoall
