#pragma once
// Workloads from files. Three formats; all errors of a file are reported at once, up to a limit, before anything runs.
//
// workload   lines `submit_time run_time node_num source destination flow_id job_id` (FiC paper, section III.B; `#`
//            begins a comment). Lines of one job say the same times and number of nodes; each adds a pair of logical
//            nodes, 0 .. node_num - 1. A node that sends to itself, or `- -` for source and destination, sends nothing:
//            so jobs without communication are written.
// circuits   lines `source destination flow_id [job_id]` (a set of circuits without times; job 0 when none is named).
//            Every job is submitted at time 0, in order of its first line, and runs for a given time; its nodes are
//            those it names, and become logical nodes in ascending order.
// swf        Standard Workload Format 2.2 of the Parallel Workloads Archive, 18 fields, `;` begins a comment. Read
// twice
//            and never kept: only jobs that were submitted out of order are held back until their turn. Job number,
//            submit time (2), run time (4), allocated processors (5, else requested ones, 8) and status (11) are used.
//            SWF says nothing about communication: a pattern gives each job its flows.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/jobs/job.h"
#include "base/diagnostics.h"

namespace weft::jobs {

enum class WorkloadFormat { automatic, workload, circuits, swf };

struct WorkloadOptions {
  WorkloadFormat format = WorkloadFormat::automatic;
  Time circuits_run_time = 1;             ///< circuits: run time of every job
  std::uint32_t processors_per_node = 1;  ///< swf: a node for so many processors, rounded up
  JobPattern pattern;                     ///< swf: flows of a job
  std::uint32_t most_nodes = 1'000'000;   ///< swf: larger jobs, which no network has nodes for, get no flows
  std::uint64_t seed = 1;                 ///< swf: random patterns; one stream per job
};

struct Workload {
  WorkloadFormat format = WorkloadFormat::workload;
  std::uint64_t jobs = 0;
  std::vector<std::string> notes;  ///< what was sorted, left out or changed, with counts
  std::unique_ptr<JobSource> source;
};

/// Throws InputError with everything that is wrong.
Workload open_workload(const std::string& path, const WorkloadOptions& options);

Workload open_workload_lines(const std::string& path);
Workload open_circuit_lines(const std::string& path, const WorkloadOptions& options);
Workload open_swf(const std::string& path, const WorkloadOptions& options);

/// The jobs of a source in the format `workload`; a job without pairs gets one line with `- -`.
std::string workload_text(JobSource& source);

// Random workloads as in the FiC paper, section IV.B: jobs arrive as a Poisson process and ask for one of a few numbers
// of nodes, each as likely as the others. Run times are exponential (the paper does not say). Times are rounded down to
// whole ones, run times are at least 1. The same seed gives the same workload everywhere; jobs, sizes, run times and
// communication draw from streams of their own.

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
