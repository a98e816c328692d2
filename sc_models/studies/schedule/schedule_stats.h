#pragma once
// Figures of a schedule, gathered while it is made, in memory that does not grow with the number of jobs.

#include <string>
#include <vector>

#include "algorithms/jobs/simulation.h"
#include "observe/bounded_samples.h"
#include "observe/time_profile.h"

namespace weft {

class ScheduleStats final : public jobs::ScheduleObserver {
 public:
  /// `bound`: run time below which a job counts as that long for the bounded slowdown.
  /// `reconfiguration`: time that a change of circuits takes.
  ScheduleStats(const Graph& graph, std::uint32_t slots, jobs::Time bound, jobs::Time reconfiguration = 0);

  void on_submit(const jobs::Job& job) override;
  void on_reject(const jobs::Job& job, const std::string& reason) override;
  void on_start(const jobs::RunningJob& job) override;
  void on_reserve(const jobs::Job&, jobs::Time, jobs::Time) override { ++reservations; }
  void on_instant(const jobs::Instant& instant, const jobs::RunningJobs& running) override;

  /// The link whose slots were in use for the longest time (lowest number of several), and that share of its slots.
  struct BusiestLink {
    LinkId link = kNoId;
    double utilization = 0;
  };
  BusiestLink busiest_link() const;
  double node_utilization() const;
  double slot_utilization() const;
  double network_slots() const { return network_slots_; }

  std::uint64_t submitted = 0;
  std::uint64_t rejected = 0;
  std::uint64_t started = 0;
  std::uint64_t backfilled = 0;
  std::uint64_t reservations = 0;
  std::uint64_t circuits = 0;
  std::uint64_t pairs = 0;
  std::uint64_t reconfigurations = 0;  ///< instants at which circuits came or went
  jobs::Time reconfiguration = 0;      ///< time that each takes
  BoundedSamples setups;               ///< from the start of a job with circuits until it sends
  std::size_t longest_queue = 0;
  jobs::Time blocked_by_nodes = 0;
  jobs::Time blocked_by_slots = 0;
  BoundedSamples waits;
  BoundedRatios slowdowns;
  BoundedRatios bounded_slowdowns;
  TimeProfile profile;
  jobs::Time makespan = 0;  ///< from the first submission to the last end
  std::vector<std::string> first_rejections;

 private:
  static constexpr std::size_t kMostRejections = 10;
  const Graph& graph_;
  std::uint32_t slots_;
  jobs::Time bound_;
  double network_slots_;
  std::vector<double> link_time_;  // per directed link: slots in use times time
  jobs::Instant last_;
  bool any_ = false;
  std::uint64_t circuits_before_ = 0;
  std::uint64_t slots_before_ = 0;
};

}  // namespace weft
