#pragma once
// Scheduling policies: which of the waiting jobs start now. A policy keeps its queue itself and asks the dispatcher to
// start jobs; the dispatcher knows nodes, slots and the running jobs. A new policy is one file and one line in
// policy.cpp.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/jobs/job.h"

namespace weft::jobs {

/// A waiting job, as long as it waits.
using JobIndex = std::uint32_t;

/// Schedule as a policy sees it.
class Dispatcher {
 public:
  virtual ~Dispatcher() = default;
  virtual Time now() const = 0;
  virtual const Job& job(JobIndex i) const = 0;
  /// A job has ended at this instant. Otherwise nothing is free that was not free when the policy was asked last.
  virtual bool released() const = 0;
  /// Jobs started so far. Another job may find its slots on the nodes that are left to it.
  virtual std::uint64_t started() const = 0;
  virtual std::uint32_t free_nodes() const = 0;
  /// Starts the job if it finds nodes and slots. For jobs whose turn it is.
  virtual bool start(JobIndex i) = 0;

  // Backfilling: one job may hold a reservation, until it starts.

  /// Reserves for the job, which has just been refused, the earliest time at which it would start if nothing but the
  /// jobs running now were there. That it starts by then is checked in every run.
  virtual Time reserve(JobIndex i) = 0;
  virtual bool has_reservation(JobIndex i) const = 0;
  virtual Time reserved_time() const = 0;
  /// Nodes that stay free at the reserved time besides those of the job with the reservation.
  virtual std::uint32_t spare_nodes() const = 0;
  /// Starts the job if it finds nodes and slots and, should it run beyond the reserved time, the job with the
  /// reservation would still find its own then, by the same rules.
  virtual bool start_unless_delaying(JobIndex i) = 0;
};

class Policy {
 public:
  virtual ~Policy() = default;
  virtual void submit(JobIndex i, const Job& job) = 0;
  /// Called at every instant at which jobs have been submitted or have ended, after all of them.
  virtual void dispatch(Dispatcher& d) = 0;
};

struct PolicyEntry {
  const char* name;
  const char* title;
  std::unique_ptr<Policy> (*make)();
  bool looks_at_all = false;  ///< at every waiting job, in whatever queue
};
/// All policies.
const std::vector<PolicyEntry>& policies();

/// slot_queues.cpp: the policy with a queue per slot (FiC paper, Figure 12), each of which it serves by itself; the
/// queue that comes first changes from instant to instant, in turn. A policy that looks at all waiting jobs stays as it
/// is.
std::unique_ptr<Policy> with_slot_queues(const PolicyEntry& policy, std::uint32_t slots);

/// Size of a job for large-flow-first: that of its largest flow, pairs times run time (each pair carries the bandwidth
/// of its slots all the time); 0 without pairs.
std::int64_t largest_flow(const Job& job);

}  // namespace weft::jobs
