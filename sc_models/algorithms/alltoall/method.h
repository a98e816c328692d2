#pragma once
// All ways to make an all-to-all schedule behind one call.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "algorithms/alltoall/groups.h"
#include "algorithms/alltoall/schedule.h"
#include "algorithms/alltoall/search/search.h"
#include "base/words.h"

namespace weft::alltoall {

/// groups: systematic (groups.h). search: groups, then improved (search.h). exact: proved (exact.h).
enum class Method { groups, search, exact };
}  // namespace weft::alltoall

namespace weft {
template <>
inline constexpr auto kWords<alltoall::Method> = words("groups", "search", "exact");
}  // namespace weft

namespace weft::alltoall {

struct MethodOptions {
  SearchMoves moves = SearchMoves::all;  ///< search
  std::uint64_t seed = 1;                ///< search
  double time_limit_s = 60;              ///< search, exact
  std::function<void(const Progress&)> progress;
};

struct ScheduleResult {
  Schedule schedule;
  /// Groups of the schedule's slots; its own schedule is empty. Only of method groups.
  std::optional<GroupsSchedule> groups;
  std::uint64_t lower_bound = 0;   ///< proved
  std::uint32_t start_slots = 0;   ///< search: slots of the schedule it began with
  std::uint64_t search_moves = 0;  ///< search: moves made
  bool stopped = false;            ///< search: interrupted
  bool out_of_time = false;        ///< search, exact: ended by the time limit
  bool too_large = false;          ///< search: nothing could be tried within its memory; exact: no proof could be
};

/// Both sides of the grid must be kSmallestSide to kLargestSide. When `stop` becomes true the best schedule so far is
/// returned.
ScheduleResult make_schedule(const Grid& grid, Method method, const MethodOptions& options,
                             const std::atomic<bool>& stop);

/// Memory of making, checking and writing a schedule, in bytes, roughly, known before any of it is taken.
struct MemoryEstimate {
  double bytes = 0;
  /// search, exact: 0, or the bytes that they would need at least, when that is more than they are made for.
  double too_many = 0;
};
MemoryEstimate memory_estimate(const Grid& grid, Method method);

}  // namespace weft::alltoall
