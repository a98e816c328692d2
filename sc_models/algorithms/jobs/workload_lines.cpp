// The formats `workload` and `circuits`: all jobs are read, then sorted by submit time.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "algorithms/jobs/line_reader.h"
#include "algorithms/jobs/workload.h"

namespace weft::jobs {
namespace {

constexpr std::int64_t kMostNodes = 1'000'000;

/// A job as it is kept: a trace may have millions of pairs.
struct StoredJob {
  struct Pair {
    std::uint32_t flow;  // its place in `flows`
    std::uint32_t source;
    std::uint32_t destination;
    auto operator<=>(const Pair&) const = default;
  };
  Job head;           // without its flows
  std::string flows;  // their names, each with a space behind it
  std::vector<Pair> pairs;
  std::uint64_t first_pair = 0;
  int silent = 0;  // line that says that it has no communication
};

/// The names and pairs of one job, to find what is there already.
struct Lookup {
  std::unordered_map<std::string, std::uint32_t> flows;
  std::set<StoredJob::Pair> pairs;
};

/// Makes each job when its turn comes.
class StoredJobs final : public JobSource {
 public:
  explicit StoredJobs(std::vector<StoredJob> jobs) : jobs_(std::move(jobs)) {}

  bool next(Job& job) override {
    if (next_ == jobs_.size()) return false;
    StoredJob stored = std::move(jobs_[next_++]);
    jobs_[next_ - 1] = {};
    job = std::move(stored.head);
    std::uint64_t pairs = stored.first_pair;
    for (std::size_t begin = 0; begin < stored.flows.size();) {
      const std::size_t end = stored.flows.find(' ', begin);
      job.flows.push_back({stored.flows.substr(begin, end - begin), {}, 0});
      begin = end + 1;
    }
    for (const StoredJob::Pair& p : stored.pairs) job.flows[p.flow].pairs.emplace_back(p.source, p.destination);
    for (JobFlow& flow : job.flows) {
      flow.first_pair = pairs;
      pairs += flow.pairs.size();
    }
    return true;
  }

 private:
  std::vector<StoredJob> jobs_;
  std::size_t next_ = 0;
};

class Jobs {
 public:
  explicit Jobs(LineErrors& errors) : errors_(errors) {}

  /// Index of the job of that name, and whether it is new.
  std::pair<std::size_t, bool> open(const std::string& id) {
    const auto [at, is_new] = index_.try_emplace(id, jobs_.size());
    if (is_new) jobs_.emplace_back();
    return {at->second, is_new};
  }
  StoredJob& at(std::size_t job) { return jobs_[job]; }

  void add_pair(std::size_t job, const std::string& flow, LogicalPair pair, const LineField& field, int line) {
    StoredJob& stored = jobs_[job];
    Lookup& lookup = lookup_of(job);
    const auto [at, is_new] = lookup.flows.try_emplace(flow, static_cast<std::uint32_t>(lookup.flows.size()));
    if (is_new) stored.flows += flow + " ";
    const StoredJob::Pair entry{at->second, pair.first, pair.second};
    if (lookup.pairs.insert(entry).second) {
      stored.pairs.push_back(entry);
      ++looked_up_;
    } else {
      errors_.add(line, field.column,
                  fmt::format("pair {} -> {} of flow '{}' of job '{}' is there already", pair.first, pair.second, flow,
                              stored.head.id));
    }
  }

  std::vector<StoredJob>& list() { return jobs_; }

 private:
  // Lines of a job usually stand together; a file in which they do not costs time, not memory.
  static constexpr std::size_t kMostLookedUp = std::size_t{1} << 18;

  Lookup& lookup_of(std::size_t job) {
    if (looked_up_ > kMostLookedUp && !lookups_.contains(job)) {
      lookups_.clear();
      looked_up_ = 0;
    }
    const auto [at, is_new] = lookups_.try_emplace(job);
    Lookup& lookup = at->second;
    if (!is_new) return lookup;
    const StoredJob& stored = jobs_[job];
    for (std::size_t begin = 0; begin < stored.flows.size();) {
      const std::size_t end = stored.flows.find(' ', begin);
      lookup.flows.emplace(stored.flows.substr(begin, end - begin), static_cast<std::uint32_t>(lookup.flows.size()));
      begin = end + 1;
    }
    lookup.pairs.insert(stored.pairs.begin(), stored.pairs.end());
    looked_up_ += stored.pairs.size();
    return lookup;
  }

  LineErrors& errors_;
  std::vector<StoredJob> jobs_;
  std::unordered_map<std::string, std::size_t> index_;
  std::unordered_map<std::size_t, Lookup> lookups_;
  std::size_t looked_up_ = 0;  // pairs
};

Workload finish(std::vector<StoredJob> jobs, const std::string& path, WorkloadFormat format, Diagnostics& diagnostics) {
  if (diagnostics.ok() && jobs.empty()) diagnostics.error({path}, "there are no jobs in this file");
  diagnostics.throw_if_errors();
  Workload out;
  out.format = format;
  out.jobs = jobs.size();
  const auto earlier = [](const StoredJob& a, const StoredJob& b) { return a.head.submit < b.head.submit; };
  if (!std::is_sorted(jobs.begin(), jobs.end(), earlier)) {
    std::stable_sort(jobs.begin(), jobs.end(), earlier);
    out.notes.emplace_back("the jobs of the workload were not in the order of their submit times; they were sorted");
  }
  std::uint64_t pair = 0;
  for (StoredJob& job : jobs) {
    job.first_pair = pair;
    pair += job.pairs.size();
    job.pairs.shrink_to_fit();
    job.flows.shrink_to_fit();
  }
  out.source = std::make_unique<StoredJobs>(std::move(jobs));
  return out;
}

class WorkloadLines {
 public:
  explicit WorkloadLines(const std::string& path) : reader_(path, '#'), errors_(path, diagnostics_), jobs_(errors_) {}

  Workload read() {
    while (reader_.next(fields_) && !errors_.give_up(reader_.line())) read_line();
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
    if (silent && fields_[5].text == "-") {
      flow = "-";
    } else {
      ok = read_name(fields_[5], "flow_id", line, errors_, flow) && ok;
    }
    ok = read_name(fields_[6], "job_id", line, errors_, job.id) && ok && nodes_ok;
    if (!ok) return;
    const auto [index, is_new] = jobs_.open(job.id);
    StoredJob& stored = jobs_.at(index);
    if (is_new) {
      stored.head = std::move(job);
    } else if (const Job& head = stored.head;
               head.submit != job.submit || head.run != job.run || head.nodes != job.nodes) {
      errors_.add(line, fields_[0].column,
                  fmt::format("job '{}' stands in line {} with submit_time {}, run_time {}, node_num {}; expected the "
                              "same here, got {} {} {}",
                              head.id, head.line, head.submit, head.run, head.nodes, job.submit, job.run, job.nodes));
      return;
    }
    if (silent) {
      if (!is_new) {
        errors_.add(line, fields_[3].column,
                    fmt::format("job '{}' has a line already ({}); '- -' says that it has no communication, and is its "
                                "only line",
                                stored.head.id, stored.head.line));
      }
      stored.silent = line;
      return;
    }
    if (stored.silent > 0) {
      errors_.add(line, fields_[3].column,
                  fmt::format("job '{}' has no communication, says '- -' in line {}; expected no pair here",
                              stored.head.id, stored.silent));
      return;
    }
    if (source == destination) {
      ++self_;
      return;
    }
    jobs_.add_pair(index, flow, {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination)},
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
                fmt::format("{}: expected a node of the job, 0 to {} (or '- -' for no communication), got '{}'", name,
                            last, field.text));
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
  while (reader.next(fields) && !errors.give_up(reader.line())) {
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
    const auto [index, is_new] = jobs.open(id);
    if (is_new) {
      Job& head = jobs.at(index).head;
      head.id = id;
      head.run = options.circuits_run_time;
      head.line = line;
    }
    jobs.add_pair(index, flow, {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination)}, fields[0],
                  line);
  }
  for (StoredJob& job : jobs.list()) {
    std::map<std::uint32_t, std::uint32_t> logical;  // node named -> its rank
    for (const StoredJob::Pair& p : job.pairs) {
      logical.emplace(p.source, 0);
      logical.emplace(p.destination, 0);
    }
    std::uint32_t rank = 0;
    for (auto& [node, number] : logical) number = rank++;
    job.head.nodes = rank;
    for (StoredJob::Pair& p : job.pairs) p = {p.flow, logical.at(p.source), logical.at(p.destination)};
  }
  Workload out = finish(std::move(jobs.list()), path, WorkloadFormat::circuits, diagnostics);
  out.notes.push_back(
      fmt::format("the file names no times: every job is submitted at 0 and runs for {}", options.circuits_run_time));
  return out;
}

}  // namespace weft::jobs
