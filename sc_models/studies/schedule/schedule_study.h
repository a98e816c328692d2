#pragma once
// One workload under one or several scheduling policies: schedules, figures, files.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/jobs/timed_circuits.h"
#include "algorithms/jobs/workload.h"
#include "observe/plot.h"
#include "observe/statistic.h"
#include "studies/schedule/schedule_stats.h"

namespace weft {

struct ScheduleRequest {
  std::string workload;  ///< file
  jobs::WorkloadOptions reading;
  std::string pattern;  ///< name of reading.pattern
  jobs::ScheduleOptions options;
  std::vector<std::string> policies;
  jobs::Time slowdown_bound = 10;
  std::optional<bool> details;   ///< unset: for at most kMostDetailed jobs
  std::filesystem::path folder;  ///< for files written while the schedule is made; exists
  bool files = true;             ///< write them
  std::function<void(double)> progress;
};

/// Largest workload whose schedules are kept, logged and drawn unless told otherwise.
inline constexpr std::uint64_t kMostDetailed = 2000;

struct PolicyResult {
  std::string policy;
  std::string title;
  std::unique_ptr<ScheduleStats> stats;
  std::optional<jobs::Schedule> schedule;  ///< with details
};

struct ScheduleStudy {
  jobs::WorkloadFormat format = jobs::WorkloadFormat::workload;
  std::uint64_t jobs = 0;
  std::vector<std::string> notes;
  bool complete = true;
  std::vector<PolicyResult> results;
};

/// With details, writes schedule_log_<policy>.jsonl and schedule_tables_<policy>.txt into the folder.
/// `workload`: the request's, opened; it is opened again for every further policy.
ScheduleStudy run_schedules(const Graph& graph, const CircuitRouting& routing, const ScheduleRequest& request,
                            jobs::Workload workload);

ReportData schedule_report(const Graph& graph, const ScheduleRequest& request, const ScheduleStudy& study);

struct SchedulePicture {
  std::string name;  ///< of the file, without ending
  std::string meaning;
  Chart chart;
};
/// Utilization over time; with details also jobs over nodes and slots over time on the busiest link.
std::vector<SchedulePicture> schedule_pictures(const Graph& graph, const ScheduleRequest& request,
                                               const ScheduleStudy& study);

}  // namespace weft
