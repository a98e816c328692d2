#pragma once
// Communication of jobs by name: the patterns of algorithms/jobs/job.h, those of network/patterns.h on the
// nodes of the job (a job of n nodes is a row of n, each with its neighbours), and `mixed`, which draws one of ring,
// exchange, uniform and one_to_all for each job.

#include <string>
#include <vector>

#include "algorithms/jobs/job.h"
#include "base/diagnostics.h"

namespace weft {

std::vector<std::string> job_pattern_names();
/// Throws InputError for an unknown name; the pattern throws InputError when it is not defined for a job's size.
jobs::JobPattern make_job_pattern(const std::string& name, const Location& where);

}  // namespace weft
