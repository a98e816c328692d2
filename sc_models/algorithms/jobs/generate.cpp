#include "algorithms/jobs/workload.h"

#include <algorithm>

namespace weft::jobs {

std::vector<Job> generate_jobs(const GeneratorOptions& options) {
  RandomStream arrivals(options.seed, "arrivals");
  RandomStream sizes(options.seed, "sizes");
  RandomStream runs(options.seed, "run times");
  std::vector<Job> jobs;
  double time = 0;
  std::uint64_t pair = 0;
  for (std::uint32_t i = 0; i < options.jobs; ++i) {
    if (i > 0) time += arrivals.exponential(options.mean_interarrival);
    Job job;
    job.id = std::to_string(i);
    job.submit = static_cast<Time>(time);
    job.nodes = options.sizes[sizes.below(options.sizes.size())];
    job.run = std::max<Time>(1, static_cast<Time>(runs.exponential(options.mean_run)));
    if (options.pattern) {
      RandomStream random(options.seed, "communication of job " + job.id);
      job.flows = options.pattern(job.nodes, random);
    }
    for (JobFlow& flow : job.flows) {
      flow.first_pair = pair;
      pair += flow.pairs.size();
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace weft::jobs
