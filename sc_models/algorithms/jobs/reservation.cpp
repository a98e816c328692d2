#include "algorithms/jobs/reservation.h"

#include <fmt/format.h>

namespace weft::jobs {

Time Reservation::make(const Job& head, RunningJobs& running) {
  for (auto& [key, job] : running) {
    if (job.in_forecast) continue;
    forecast_.reserve(job.placement);
    job.in_forecast = true;
  }
  for (auto it = running.begin(); it != running.end();) {
    const Time end = it->first.first;
    for (; it != running.end() && it->first.first == end; ++it) {
      forecast_.release(it->second.placement);
      it->second.in_forecast = false;
    }
    if (forecast_.free_nodes() < head.nodes || !forecast_.fits(head)) continue;
    time_ = end;
    head_nodes_ = head.nodes;
    active_ = true;
    return time_;
  }
  throw RunError(fmt::format("job '{}' does not fit even when all others have ended", head.id));
}

std::uint32_t Reservation::spare_nodes() const { return forecast_.free_nodes() - head_nodes_; }

bool Reservation::admit(const Job& head, const Placement& placement) {
  forecast_.reserve(placement);
  if (forecast_.fits(head)) return true;
  forecast_.release(placement);
  return false;
}

void Reservation::ended(RunningJob& job) {
  if (!job.in_forecast) return;
  forecast_.release(job.placement);
  job.in_forecast = false;
}

}  // namespace weft::jobs
