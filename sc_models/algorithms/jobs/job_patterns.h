#pragma once
// Communication of jobs that name none themselves, from their number of nodes n. Each pair is a flow of its own, except
// in one_to_all, which is one multicast flow. A job of one node sends nothing. The paper's patterns on a whole network
// are in network/patterns.h; workload/job_traffic.h offers both by name.

#include <string>
#include <vector>

#include "algorithms/jobs/job.h"

namespace weft::jobs {

struct JobPatternEntry {
  const char* name;
  const char* meaning;
  std::vector<LogicalPair> (*pairs)(std::uint32_t nodes);
  bool one_flow;
};
const std::vector<JobPatternEntry>& job_patterns();

/// One flow per pair, or one for all of them; flows are numbered from 0.
std::vector<JobFlow> flows_of(const std::vector<LogicalPair>& pairs, bool one_flow);

}  // namespace weft::jobs
