#pragma once
// Random workloads as in the FiC paper, section IV.B: jobs arrive as a Poisson process and ask for one of a few numbers
// of nodes, each as likely as the others. Run times are exponential (the paper does not say). Times are rounded down to
// whole ones, run times are at least 1. The same seed gives the same workload everywhere; jobs, sizes, run times and
// communication draw from streams of their own.

#include <vector>

#include "algorithms/jobs/job.h"

namespace weft::jobs {

struct GeneratorOptions {
  std::uint32_t jobs = 96;
  std::uint64_t seed = 1;
  std::vector<std::uint32_t> sizes{1, 2, 4, 8, 16};
  double mean_interarrival = 15;
  double mean_run = 30;
  JobPattern pattern;
};

/// Jobs are named 0, 1, 2, ...
std::vector<Job> generate_jobs(const GeneratorOptions& options);

}  // namespace weft::jobs
