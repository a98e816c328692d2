#pragma once
// Event-driven simulation of circuit-switched job scheduling (FiC paper, section III): jobs are submitted, wait, start
// when they have nodes and slots, hold both for their run time and give them back. The paper's threads for submission
// and release are replaced by simulated time, so that equal input gives an equal schedule.
//
// At one instant, first all jobs that end give back what they hold (in the order in which they started), then all jobs
// submitted join the queue (in the order of the workload), then the policy starts jobs.
//
// Reconfiguration: at an instant at which circuits come or go all switches get new tables, which takes a constant time;
// tables of a later instant are written after those of the instants before. A job with circuits holds nodes and slots
// from its start, sends from the time its tables are there, and ends when it has sent for its run time. A job without
// circuits does not wait for tables.
//
// A queue per slot (paper, Figure 12): a submitted job joins the shortest of the queues, the one of the lowest slot of
// several. Its flows ask for the slot of the queue first, then for the next ones, and from slot 0 again.

#include <functional>
#include <string>

#include "algorithms/jobs/job.h"
#include "algorithms/jobs/occupancy.h"
#include "algorithms/jobs/reservation.h"

namespace weft::jobs {

enum class JobQueues { one, per_slot };

struct ScheduleOptions {
  std::string policy = "fcfs";
  std::string node_policy = "first_fit";
  const Allocator* allocator = &kFirstFit;  ///< first_fit or longest_first
  std::uint32_t slots = 8;
  std::uint32_t slots_per_flow = 1;
  JobQueues queues = JobQueues::one;
  Time reconfiguration = 0;           ///< from a change of circuits until tables are there
  std::uint64_t seed = 1;             ///< node policy random
  std::function<bool()> interrupted;  ///< asked now and then; the schedule then ends early
};

/// State at an instant, after all jobs that could have started.
struct Instant {
  Time time = 0;
  std::uint32_t busy_nodes = 0;
  std::uint64_t busy_slots = 0;  ///< slots in use, over all directed links
  std::size_t running = 0;
  std::size_t waiting = 0;
  Obstacle obstacle = Obstacle::none;  ///< what the job whose turn it is lacks
  bool changed = false;                ///< a job has started or ended
};

class ScheduleObserver {
 public:
  virtual ~ScheduleObserver() = default;
  virtual void on_submit(const Job& /*job*/) {}
  /// A job that cannot run even in the empty network; it does not join the queue.
  virtual void on_reject(const Job& /*job*/, const std::string& /*reason*/) {}
  virtual void on_start(const RunningJob& /*job*/) {}
  virtual void on_end(const RunningJob& /*job*/) {}
  /// The first job of the queue has been promised to start at `time` at the latest.
  virtual void on_reserve(const Job& /*job*/, Time /*now*/, Time /*time*/) {}
  virtual void on_instant(const Instant& /*instant*/, const RunningJobs& /*running*/) {}
};

/// Runs all jobs of the source. Throws InputError for unknown names of policies, for an allocator that cannot allocate
/// job by job and for a frame without slots; RunError when an invariant is hurt: a node or slot with two owners, a
/// broken reservation, a job left waiting in an idle network. Returns false when interrupted.
bool simulate(const Graph& graph, const CircuitRouting& routing, JobSource& source, const ScheduleOptions& options,
              const std::vector<ScheduleObserver*>& observers);

}  // namespace weft::jobs
