#include "algorithms/jobs/timed_circuits.h"

#include <algorithm>
#include <utility>

namespace weft::jobs {

std::vector<CircuitLinks> circuit_parts(const CircuitTree& circuit, std::size_t tree, const FlowSlots& slots) {
  std::vector<CircuitLinks> parts;
  for (std::size_t k = 0; k < slots.common.size(); ++k) {
    CircuitTree links = circuit;
    for (std::size_t e = 0; e < links.edges.size(); ++e) {
      links.edges[e].link = slots.link(tree, e, k, circuit.edges[e].link);
    }
    const auto same = std::find_if(parts.begin(), parts.end(),
                                   [&](const CircuitLinks& part) { return part.tree.edges == links.edges; });
    if (same != parts.end()) {
      same->slots.push_back(slots.common[k]);
    } else {
      parts.push_back({std::move(links), {slots.common[k]}});
    }
  }
  return parts;
}

void ScheduleRecorder::on_reject(const Job& job, const std::string& reason) {
  schedule_.rejected.push_back({job.id, job.submit, job.nodes, reason});
}

void ScheduleRecorder::on_start(const RunningJob& job) {
  const std::size_t index = schedule_.jobs.size();
  schedule_.jobs.push_back(
      {job.job.id, job.job.submit, job.start, job.sends, job.end, job.backfilled, job.placement.nodes});
  for (std::size_t f = 0; f < job.placement.flows.size(); ++f) {
    const std::vector<CircuitTree>& trees = job.placement.flows[f].trees;
    for (std::size_t t = 0; t < trees.size(); ++t) {
      for (CircuitLinks& part : circuit_parts(trees[t], t, job.placement.slots[f])) {
        schedule_.circuits.push_back(
            {index, job.job.flows[f].id, job.job.flows[f].first_pair, std::move(part.tree), std::move(part.slots)});
      }
    }
  }
}

}  // namespace weft::jobs
