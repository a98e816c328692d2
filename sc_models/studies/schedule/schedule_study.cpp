#include "studies/schedule/schedule_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/jobs/policy.h"
#include "studies/schedule/schedule_files.h"

namespace weft {
namespace {

class Progress final : public jobs::ScheduleObserver {
 public:
  Progress(const std::function<void(double)>& show, double before, double jobs)
      : show_(show), done_(before), jobs_(jobs) {}
  void on_start(const jobs::RunningJob&) override { step(); }
  void on_reject(const jobs::Job&, const std::string&) override { step(); }

 private:
  void step() {
    done_ += 1;
    if (show_) show_(done_ / jobs_);
  }
  const std::function<void(double)>& show_;
  double done_;
  double jobs_;
};

std::string title_of(const std::string& policy) {
  for (const jobs::PolicyEntry& entry : jobs::policies()) {
    if (policy == entry.name) return entry.title;
  }
  return policy;
}

}  // namespace

ScheduleStudy run_schedules(const Graph& graph, const CircuitRouting& routing, const ScheduleRequest& request,
                            jobs::Workload workload) {
  ScheduleStudy study;
  study.format = workload.format;
  study.jobs = workload.jobs;
  study.notes = workload.notes;
  for (const std::string& policy : request.policies) {
    if (!study.results.empty()) workload = jobs::open_workload(request.workload, request.reading);
    const bool details = request.details.value_or(workload.jobs <= kMostDetailed);
    PolicyResult result{policy,
                        title_of(policy),
                        std::make_unique<ScheduleStats>(graph, request.options.slots, request.slowdown_bound,
                                                        request.options.reconfiguration),
                        {}};
    Progress progress(request.progress, static_cast<double>(study.results.size() * workload.jobs),
                      static_cast<double>(request.policies.size() * workload.jobs));
    std::vector<jobs::ScheduleObserver*> observers{result.stats.get(), &progress};
    jobs::ScheduleOptions options = request.options;
    options.policy = policy;
    jobs::ScheduleRecorder recorder;
    std::optional<ScheduleLog> log;
    std::optional<ScheduleTables> tables;
    const bool files = details && request.files;
    if (details) observers.push_back(&recorder);
    if (files) {
      log.emplace(request.folder / fmt::format("schedule_log_{}.jsonl", policy), graph, options);
      tables.emplace(request.folder / fmt::format("schedule_tables_{}.txt", policy), graph, options.slots,
                     result.stats->network_slots());
      observers.insert(observers.end(), {&*log, &*tables});
    }
    study.complete = jobs::simulate(graph, routing, *workload.source, options, observers);
    if (files) {
      log->finish();
      tables->finish();
    }
    if (details) {
      result.schedule = recorder.schedule();
    }
    study.results.push_back(std::move(result));
    if (!study.complete) break;
  }
  return study;
}

}  // namespace weft
