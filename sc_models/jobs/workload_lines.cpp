// The formats `workload` and `circuits`: all jobs are read, then sorted by submit time.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "jobs/line_reader.h"
#include "jobs/workload.h"

namespace weft::jobs {
namespace {

constexpr std::int64_t kMostNodes = 1'000'000;

/// A job as it is read: where its parts stand, and the pairs it has.
struct OpenJob {
  Job job;
  std::unordered_map<std::string, std::size_t> flows;
  std::set<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> pairs;  // flow, source, destination
};

class Jobs {
 public:
  explicit Jobs(LineErrors& errors) : errors_(errors) {}

  /// The job of that name, and whether it is new.
  std::pair<OpenJob&, bool> open(const std::string& id) {
    const auto [at, is_new] = index_.try_emplace(id, jobs_.size());
    if (is_new) jobs_.emplace_back();
    return {jobs_[at->second], is_new};
  }

  void add_pair(OpenJob& open, const std::string& flow, LogicalPair pair, const LineField& field, int line) {
    const auto [at, is_new] = open.flows.try_emplace(flow, open.job.flows.size());
    if (is_new) open.job.flows.push_back({flow, {}, 0});
    if (open.pairs.emplace(at->second, pair.first, pair.second).second) {
      open.job.flows[at->second].pairs.push_back(pair);
    } else {
      errors_.add(line, field.column,
                  fmt::format("pair {} -> {} of flow '{}' of job '{}' is there already", pair.first, pair.second, flow,
                              open.job.id));
    }
  }

  std::vector<OpenJob>& list() { return jobs_; }

 private:
  LineErrors& errors_;
  std::vector<OpenJob> jobs_;
  std::unordered_map<std::string, std::size_t> index_;
};

Workload finish(std::vector<OpenJob> open, const std::string& path, WorkloadFormat format, Diagnostics& diagnostics) {
  if (diagnostics.ok() && open.empty()) diagnostics.error({path}, "there are no jobs in this file");
  diagnostics.throw_if_errors();
  std::vector<Job> jobs;
  jobs.reserve(open.size());
  for (OpenJob& o : open) jobs.push_back(std::move(o.job));
  Workload out;
  out.format = format;
  out.jobs = jobs.size();
  const auto earlier = [](const Job& a, const Job& b) { return a.submit < b.submit; };
  if (!std::is_sorted(jobs.begin(), jobs.end(), earlier)) {
    std::stable_sort(jobs.begin(), jobs.end(), earlier);
    out.notes.emplace_back("the jobs of the workload were not in the order of their submit times; they were sorted");
  }
  std::uint64_t pair = 0;
  for (Job& job : jobs) {
    for (JobFlow& flow : job.flows) {
      flow.first_pair = pair;
      pair += flow.pairs.size();
    }
  }
  out.source = std::make_unique<JobList>(std::move(jobs));
  return out;
}

class WorkloadLines {
 public:
  explicit WorkloadLines(const std::string& path) : reader_(path, '#'), errors_(path, diagnostics_), jobs_(errors_) {}

  Workload read() {
    while (!errors_.full() && reader_.next(fields_)) read_line();
    Workload out = finish(std::move(jobs_.list()), reader_.path(), WorkloadFormat::workload, diagnostics_);
    if (self_ > 0) out.notes.push_back(fmt::format("{} pairs of a node with itself send nothing", self_));
    return out;
  }

 private:
  void read_line() {
    const int line = reader_.line();
    if (fields_.size() != 7) {
      errors_.add(line, fields_[std::min<std::size_t>(fields_.size() - 1, 7)].column,
                  fmt::format("expected 7 fields 'submit_time run_time node_num source destination flow_id job_id', "
                              "got {}",
                              fields_.size()));
      return;
    }
    Job job;
    job.line = line;
    std::int64_t nodes = 0;
    bool ok = read_number(fields_[0], "submit_time", 0, kLargestTime, line, errors_, job.submit);
    ok = read_number(fields_[1], "run_time", 1, kLargestTime, line, errors_, job.run) && ok;
    const bool nodes_ok = read_number(fields_[2], "node_num", 1, kMostNodes, line, errors_, nodes);
    job.nodes = static_cast<std::uint32_t>(nodes);
    const bool silent = fields_[3].text == "-" && fields_[4].text == "-";
    std::int64_t source = 0;
    std::int64_t destination = 0;
    if (!silent) {
      const std::int64_t last = nodes_ok ? nodes - 1 : kMostNodes - 1;
      ok = node(fields_[3], "source", last, source) && ok;
      ok = node(fields_[4], "destination", last, destination) && ok;
    }
    std::string flow;
    ok = read_name(fields_[5], "flow_id", line, errors_, flow) && ok;
    ok = read_name(fields_[6], "job_id", line, errors_, job.id) && ok && nodes_ok;
    if (!ok) return;
    const auto [open, is_new] = jobs_.open(job.id);
    if (is_new) {
      open.job = std::move(job);
    } else if (open.job.submit != job.submit || open.job.run != job.run || open.job.nodes != job.nodes) {
      errors_.add(line, fields_[0].column,
                  fmt::format("job '{}' stands in line {} with submit_time {}, run_time {}, node_num {}; expected the "
                              "same here, got {} {} {}",
                              job.id, open.job.line, open.job.submit, open.job.run, open.job.nodes, job.submit, job.run,
                              job.nodes));
      return;
    }
    if (silent) return;
    if (source == destination) {
      ++self_;
      return;
    }
    jobs_.add_pair(open, flow, {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination)},
                   fields_[3], line);
  }

  bool node(const LineField& field, const char* name, std::int64_t last, std::int64_t& out) {
    const char* const end = field.text.data() + field.text.size();
    const bool digits =
        !field.text.empty() && std::all_of(field.text.data(), end, [](char c) { return c >= '0' && c <= '9'; });
    if (digits && field.text.size() < 10) {
      out = std::stoll(std::string(field.text));
      if (out <= last) return true;
    }
    errors_.add(reader_.line(), field.column,
                fmt::format("{}: expected a node of the job, 0 to {} (or '- -' for no communication), got {}", name,
                            last, quoted(field.text)));
    return false;
  }

  Diagnostics diagnostics_;
  LineReader reader_;
  LineErrors errors_;
  Jobs jobs_;
  std::vector<LineField> fields_;
  std::uint64_t self_ = 0;
};

}  // namespace

Workload open_workload_lines(const std::string& path) { return WorkloadLines(path).read(); }

Workload open_circuit_lines(const std::string& path, const WorkloadOptions& options) {
  Diagnostics diagnostics;
  LineReader reader(path, '#');
  LineErrors errors(path, diagnostics);
  Jobs jobs(errors);
  std::vector<LineField> fields;
  while (!errors.full() && reader.next(fields)) {
    const int line = reader.line();
    if (fields.size() < 3 || fields.size() > 4) {
      errors.add(line, fields[std::min<std::size_t>(fields.size() - 1, 4)].column,
                 fmt::format("expected 'source destination flow_id [job_id]', got {} fields", fields.size()));
      continue;
    }
    std::int64_t source = 0;
    std::int64_t destination = 0;
    std::string flow;
    std::string id = "0";
    bool ok = read_number(fields[0], "source", 0, kMostNodes - 1, line, errors, source);
    ok = read_number(fields[1], "destination", 0, kMostNodes - 1, line, errors, destination) && ok;
    ok = read_name(fields[2], "flow_id", line, errors, flow) && ok;
    if (fields.size() == 4) ok = read_name(fields[3], "job_id", line, errors, id) && ok;
    if (ok && source == destination) {
      errors.add(line, fields[0].column, fmt::format("node {} sends to itself", source));
      ok = false;
    }
    if (!ok) continue;
    const auto [open, is_new] = jobs.open(id);
    if (is_new) {
      open.job.id = id;
      open.job.run = options.circuits_run_time;
      open.job.line = line;
    }
    jobs.add_pair(open, flow, {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination)}, fields[0],
                  line);
  }
  for (OpenJob& open : jobs.list()) {
    std::map<std::uint32_t, std::uint32_t> logical;  // node named -> its rank
    for (const auto& [flow, source, destination] : open.pairs) {
      logical.emplace(source, 0);
      logical.emplace(destination, 0);
    }
    std::uint32_t rank = 0;
    for (auto& [node, number] : logical) number = rank++;
    open.job.nodes = rank;
    for (JobFlow& flow : open.job.flows) {
      for (LogicalPair& pair : flow.pairs) pair = {logical.at(pair.first), logical.at(pair.second)};
    }
  }
  Workload out = finish(std::move(jobs.list()), path, WorkloadFormat::circuits, diagnostics);
  out.notes.push_back(
      fmt::format("the file names no times: every job is submitted at 0 and runs for {}", options.circuits_run_time));
  return out;
}

}  // namespace weft::jobs
