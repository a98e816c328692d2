#include "algorithms/jobs/workload.h"

#include <fmt/format.h>

#include "algorithms/jobs/line_reader.h"

namespace weft::jobs {
namespace {

/// By ending, then by the first line: 18 fields or a `;` comment are SWF, 3 or 4 fields circuits.
WorkloadFormat guess(const std::string& path) {
  if (path.ends_with(".swf")) return WorkloadFormat::swf;
  std::vector<LineField> fields;
  LineReader swf(path, ';');
  if (swf.next(fields) && (swf.comments() || fields.size() == 18)) return WorkloadFormat::swf;
  if (fields.empty() && swf.comments()) return WorkloadFormat::swf;
  LineReader lines(path, '#');
  if (lines.next(fields) && (fields.size() == 3 || fields.size() == 4)) return WorkloadFormat::circuits;
  return WorkloadFormat::workload;
}

}  // namespace

Workload open_workload(const std::string& path, const WorkloadOptions& options) {
  switch (options.format == WorkloadFormat::automatic ? guess(path) : options.format) {
    case WorkloadFormat::swf:
      return open_swf(path, options);
    case WorkloadFormat::circuits:
      return open_circuit_lines(path, options);
    default:
      return open_workload_lines(path);
  }
}

std::string workload_text(JobSource& source) {
  std::string text = "# submit_time run_time node_num source destination flow_id job_id\n";
  for (Job job; source.next(job);) {
    if (!job.unfit.empty()) throw InputError({}, fmt::format("job {}: {}", job.id, job.unfit));
    const std::string head = fmt::format("{} {} {}", job.submit, job.run, job.nodes);
    if (job.flows.empty()) text += fmt::format("{} - - - {}\n", head, job.id);
    for (const JobFlow& flow : job.flows) {
      for (const auto& [from, to] : flow.pairs)
        text += fmt::format("{} {} {} {} {}\n", head, from, to, flow.id, job.id);
    }
  }
  return text;
}

}  // namespace weft::jobs
