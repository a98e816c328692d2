#pragma once
// The reservation of one waiting job: the time by which it will start, and the network as it will be then, with the
// jobs that will still run. The forecast follows what starts and ends meanwhile instead of being made anew.

#include <map>
#include <string>
#include <utility>

#include "algorithms/jobs/occupancy.h"

namespace weft::jobs {

struct RunningJob {
  Job job;
  Time start = 0;
  Time sends = 0;  ///< from then on: its circuits are in place
  Time end = 0;
  bool backfilled = false;   ///< started before a job that had been submitted earlier and held the reservation
  bool in_forecast = false;  ///< its nodes and slots are taken in the forecast of the reservation
  Placement placement;
};
/// By end, then by order of start.
using RunningJobs = std::map<std::pair<Time, std::uint64_t>, RunningJob>;

class Reservation {
 public:
  explicit Reservation(const PlacementRules& rules) : forecast_(rules) {}

  /// Finds the earliest end of a running job at which `head` fits. Throws RunError if it never does: it would not fit
  /// into the empty network either.
  Time make(const Job& head, RunningJobs& running);
  bool active() const { return active_; }
  void clear() { active_ = false; }
  Time time() const { return time_; }
  /// Free at the reserved time, besides those of the head.
  std::uint32_t spare_nodes() const;
  /// Whether the head still fits at the reserved time beside this placement. It is then taken in the forecast.
  bool admit(const Job& head, const Placement& placement);
  /// To be called when a running job ends.
  void ended(RunningJob& job);

 private:
  Occupancy forecast_;
  std::uint32_t head_nodes_ = 0;
  Time time_ = 0;
  bool active_ = false;
};

}  // namespace weft::jobs
