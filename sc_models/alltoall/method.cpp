#include "alltoall/method.h"

#include <algorithm>

#include "alltoall/bounds.h"
#include "alltoall/exact.h"

namespace weft::alltoall {

std::string to_string(Method method) {
  switch (method) {
    case Method::groups:
      return "groups";
    case Method::search:
      return "search";
    case Method::exact:
      return "exact";
  }
  return {};
}

MadeSchedule make_schedule(const Grid& grid, Method method, const MethodOptions& options,
                           const std::atomic<bool>& stop) {
  MadeSchedule out;
  out.lower_bound = lower_bounds(grid).slots();
  if (method == Method::exact) {
    ExactResult result = exact(grid, options.time_limit_s, stop);
    out.schedule = std::move(result.schedule);
    out.lower_bound = std::max<std::uint64_t>(out.lower_bound, result.lower_bound);
    out.stopped = !result.optimal && stop;
    out.out_of_time = !result.optimal && !stop;
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
  search_options.seed = options.seed;
  search_options.time_limit_s = options.time_limit_s;
  const auto progress = [&](const Progress& p) {
    if (options.progress) options.progress(p);
  };
  SearchResult result = search(groups.schedule, search_options, progress, stop);
  out.schedule = std::move(result.best);
  out.stopped = result.end == SearchEnd::kStopped;
  out.out_of_time = result.end == SearchEnd::kTimeLimit;
  out.too_large = result.end == SearchEnd::kTooLarge;
  return out;
}

std::uint64_t memory_estimate(std::uint64_t nodes, Method method) {
  const std::uint64_t connections = nodes * nodes;
  // groups: slot of each connection and their order by slot, a word per resource of some hundred groups. The others
  // compare connections with each other, in tables that they keep below a few gigabytes.
  const std::uint64_t groups = connections * 3 * 4 + 200 * 6 * 8 * nodes + (16U << 20);
  constexpr std::uint64_t kMostTables = std::uint64_t{3} << 30;
  return method == Method::groups ? groups : groups + std::min(connections * connections, kMostTables);
}

}  // namespace weft::alltoall
