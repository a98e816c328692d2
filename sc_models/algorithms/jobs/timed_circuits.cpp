#include "algorithms/jobs/timed_circuits.h"

namespace weft::jobs {

void ScheduleRecorder::on_reject(const Job& job, const std::string& reason) {
  schedule_.rejected.push_back({job.id, job.submit, job.nodes, reason});
}

void ScheduleRecorder::on_start(const RunningJob& job) {
  const std::size_t index = schedule_.jobs.size();
  schedule_.jobs.push_back(
      {job.job.id, job.job.submit, job.start, job.sends, job.end, job.backfilled, job.placement.nodes});
  for (std::size_t f = 0; f < job.placement.flows.size(); ++f) {
    for (const CircuitTree& tree : job.placement.flows[f].trees) {
      schedule_.circuits.push_back(
          {index, job.job.flows[f].id, job.job.flows[f].first_pair, tree, job.placement.slots[f].common});
    }
  }
}

}  // namespace weft::jobs
