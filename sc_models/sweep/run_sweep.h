#pragma once
// Executes a sweep: every run is a process of its own (SystemC has one simulation per process), as many at a time as
// wanted, and its result is stored as soon as it ends.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sweep/plan.h"
#include "sweep/result_store.h"
#include "sweep/sweep_config.h"

namespace weft {

struct SweepOptions {
  std::string program;       ///< the weft program
  std::size_t jobs = 1;      ///< processes at a time
  std::uint64_t memory = 0;  ///< bytes that a run may allocate; 0: no limit but those of this program
  int nice = 0;              ///< added to the niceness of this program
  std::function<bool()> interrupted = [] { return false; };
  std::function<void(std::size_t done, std::size_t of)> progress = [](std::size_t, std::size_t) {};
};

/// Work that is left, given the stored results.
struct SweepWork {
  std::vector<std::size_t> runs;       ///< of the plan, to be run; each identity once
  std::size_t stored = 0;              ///< runs of the plan whose result is there
  std::size_t failed_before = 0;       ///< of those to be run: they failed last time
  std::size_t changed = 0;             ///< of those to be run: stored for another configuration or version
  std::size_t other = 0;               ///< stored runs whose point is not in the plan
  std::vector<std::size_t> too_large;  ///< not to be run: they failed for want of memory and may use no more now
};

/// `memory`: as in SweepOptions.
SweepWork work_of(const SweepPlan& plan, const std::vector<ResultStore::Known>& known, std::uint64_t memory = 0);

/// Where a point lies on the axes, as it is stored.
std::vector<StoredAxis> axes_of(const SweepConfig& config, const PlannedPoint& point);

/// Has the program check the configuration of the points (`weft check`, first seed) in parallel. Throws InputError with
/// the errors of all of them, placed in the sweep file where a key of the sweep caused them. Otherwise returns their
/// warnings, placed likewise, each once; nothing when it was interrupted. Ends early, and says so, when many points are
/// wrong, or when all would take more processor time than a check may (base/resource_need.h).
std::optional<std::vector<Diagnostic>> check_points(const SweepConfig& config, const SweepPlan& plan,
                                                    const std::vector<std::size_t>& points,
                                                    const SweepOptions& options);

struct SweepFailure {
  std::string point;
  std::uint64_t seed = 0;
  std::string message;
};

struct SweepOutcome {
  std::size_t ran = 0;  ///< ended, well or not
  std::vector<SweepFailure> failures;
  bool interrupted = false;
};

/// Runs `work`, those first that are predicted to take longest. A failed run is stored with its message and the others
/// go on. Throws InputError when a report has no such figure as a metric asks for; what has ended is stored then, as it
/// is after an interrupt.
SweepOutcome run_sweep(const SweepConfig& config, const SweepPlan& plan, const std::vector<std::size_t>& work,
                       ResultStore& store, const SweepOptions& options);

/// The program's arguments for a point.
std::vector<std::string> point_arguments(const SweepConfig& config, const PlannedPoint& point, std::uint64_t seed);

}  // namespace weft
