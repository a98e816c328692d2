// Standard Workload Format (https://www.cs.huji.ac.il/labs/parallel/workload/swf.html), read as a stream: once to check
// it and to learn how far jobs are out of order, once to run it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <queue>
#include <string_view>

#include "algorithms/jobs/line_reader.h"
#include "algorithms/jobs/workload.h"

namespace weft::jobs {
namespace {

constexpr std::size_t kFields = 18;
constexpr std::int64_t kMostJobs = 100'000'000;  // largest job number: one bit each is kept
constexpr std::int64_t kMostProcessors = 1'000'000'000;

/// Fields of a line that are used here.
struct SwfJob {
  std::int64_t number = 0;
  Time submit = 0;
  Time run = 0;
  std::uint32_t nodes = 0;
  int line = 0;
};

/// Lines that are no jobs of ours, or not quite.
struct Counts {
  std::uint64_t jobs = 0;
  std::uint64_t unknown_run = 0;
  std::uint64_t unknown_processors = 0;
  std::uint64_t parts = 0;      // of jobs that were swapped out: their summary line has it all
  std::uint64_t cancelled = 0;  // before they ran
  std::uint64_t instant = 0;
  std::uint64_t rounded = 0;  // with a time that has a fraction
};

class SwfLines {
 public:
  SwfLines(const std::string& path, std::uint32_t processors_per_node, LineErrors& errors)
      : reader_(path, ';'), per_node_(processors_per_node), errors_(errors) {}

  /// Next line that is a job; false at the end.
  bool next(SwfJob& job) {
    while (reader_.next(fields_) && !errors_.give_up(reader_.line())) {
      if (read_line(job)) return true;
    }
    return false;
  }
  const Counts& counts() const { return counts_; }

 private:
  // A number that may be -1 for "unknown".
  bool read(std::size_t field, const char* name, std::int64_t most, std::int64_t& out) {
    return read_number(fields_[field], name, -1, most, reader_.line(), errors_, out);
  }

  // Times may have a fraction; they are rounded to the nearest whole number, a half up.
  bool read_time(std::size_t field, const char* name, std::int64_t least, Time& out, bool& rounded) {
    LineField whole = fields_[field];
    const std::size_t point = whole.text.find('.');
    const std::string_view fraction = point == std::string_view::npos ? "" : whole.text.substr(point + 1);
    const bool is_digits = std::all_of(fraction.begin(), fraction.end(), [](char c) { return c >= '0' && c <= '9'; });
    const bool is_zero = fraction.find_first_not_of('0') == std::string_view::npos;
    const bool is_negative = !whole.text.empty() && whole.text[0] == '-';  // only "unknown": -1
    if (fraction.empty() || !is_digits || point == 0 || (is_negative && !is_zero)) {
      return read_number(whole, name, least, kLargestTime, reader_.line(), errors_, out);
    }
    whole.text = whole.text.substr(0, point);
    // The last whole number has no room for a fraction.
    if (!read_number(whole, name, least, kLargestTime - (is_zero ? 0 : 1), reader_.line(), errors_, out)) return false;
    rounded = rounded || !is_zero;
    out += fraction[0] >= '5' ? 1 : 0;
    return true;
  }

  bool read_line(SwfJob& job) {
    const int line = reader_.line();
    if (fields_.size() != kFields) {
      errors_.add(
          line, fields_[std::min(fields_.size() - 1, kFields)].column,
          fmt::format("expected the {} fields of the Standard Workload Format, got {}", kFields, fields_.size()));
      return false;
    }
    std::int64_t allocated = 0;
    std::int64_t requested = 0;
    std::int64_t status = 0;
    bool rounded = false;
    bool ran_a_moment = false;  // its run time has a fraction
    bool ok = read(10, "status", 5, status);
    // Lines on parts have no submit time: only the wait since the part before.
    const std::int64_t earliest = status >= 2 && status <= 4 ? -1 : 0;
    ok = read_number(fields_[0], "job number", 1, kMostJobs, line, errors_, job.number) && ok;
    ok = read_time(1, "submit time", earliest, job.submit, rounded) && ok;
    ok = read_time(3, "run time", -1, job.run, ran_a_moment) && ok;
    ok = read(4, "allocated processors", kMostProcessors, allocated) && ok;
    ok = read(7, "requested processors", kMostProcessors, requested) && ok;
    for (const std::size_t f : kOthers) ok = check_other(f) && ok;
    if (!ok) return false;
    job.line = line;
    if (status >= 2 && status <= 4) {
      ++counts_.parts;
      return false;
    }
    if (status == 5 && job.run <= 0 && !ran_a_moment) {
      ++counts_.cancelled;
      return false;
    }
    if (job.run < 0) {
      ++counts_.unknown_run;
      return false;
    }
    const std::int64_t processors = allocated > 0 ? allocated : requested;
    if (processors <= 0) {
      ++counts_.unknown_processors;
      return false;
    }
    if (job.run == 0) {  // less than half a second
      ++counts_.instant;
      job.run = 1;
    }
    counts_.rounded += rounded || ran_a_moment ? 1 : 0;
    job.nodes = static_cast<std::uint32_t>((processors + per_node_ - 1) / per_node_);
    ++counts_.jobs;
    return true;
  }

  // Fields without a use here need only be numbers; average CPU time may have a fraction.
  bool check_other(std::size_t f) {
    const std::string_view text = fields_[f].text;
    std::size_t i = text[0] == '-' || text[0] == '+' ? 1 : 0;
    bool digits = false;
    bool point = false;
    for (; i < text.size(); ++i) {
      if (text[i] >= '0' && text[i] <= '9') {
        digits = true;
      } else if (text[i] == '.' && !point) {
        point = true;
      } else {
        break;
      }
    }
    if (digits && i == text.size()) return true;
    errors_.add(reader_.line(), fields_[f].column, fmt::format("field {}: expected a number, got '{}'", f + 1, text));
    return false;
  }

  static constexpr std::array<std::size_t, 12> kOthers{2, 5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 17};
  LineReader reader_;
  std::uint32_t per_node_;
  LineErrors& errors_;
  std::vector<LineField> fields_;
  Counts counts_;
};

class SwfSource final : public JobSource {
 public:
  /// `lateness`: no job is submitted earlier than that before the latest one above it in the file.
  SwfSource(const std::string& path, const WorkloadOptions& options, Time lateness)
      : path_(path),
        errors_(path, diagnostics_),
        lines_(path, options.processors_per_node, errors_),
        options_(options),
        lateness_(lateness) {}

  bool next(Job& job) override {
    // What is early enough that nothing below can come before it.
    while (more_ && (held_.empty() || held_.top().job.submit > latest_ - lateness_)) {
      SwfJob read;
      more_ = lines_.next(read);
      if (!more_) break;
      latest_ = std::max(latest_, read.submit);
      held_.push({read, order_++});
    }
    diagnostics_.throw_if_errors();  // the file has changed since it was checked
    if (held_.empty()) return false;
    const SwfJob swf = held_.top().job;
    held_.pop();
    job = {};
    job.id = std::to_string(swf.number);
    job.submit = swf.submit;
    job.run = swf.run;
    job.nodes = swf.nodes;
    job.line = swf.line;
    if (!options_.pattern || job.nodes > options_.most_nodes) return true;
    RandomStream random(options_.seed, "communication of job " + job.id);
    try {
      job.flows = options_.pattern(job.nodes, random);
    } catch (const InputError& e) {
      job.unfit = e.list().front().message;  // this job's trouble alone
    }
    for (JobFlow& flow : job.flows) {
      flow.first_pair = pairs_;
      pairs_ += flow.pairs.size();
    }
    return true;
  }

 private:
  struct Held {
    SwfJob job;
    std::uint64_t order;
    bool operator<(const Held& o) const {  // the earliest on top
      return job.submit != o.job.submit ? job.submit > o.job.submit : order > o.order;
    }
  };
  std::string path_;
  Diagnostics diagnostics_;
  LineErrors errors_;
  SwfLines lines_;
  WorkloadOptions options_;
  Time lateness_;
  Time latest_ = 0;
  bool more_ = true;
  std::uint64_t order_ = 0;
  std::uint64_t pairs_ = 0;
  std::priority_queue<Held> held_;
};

void add_note(std::vector<std::string>& notes, std::uint64_t count, const char* text) {
  if (count > 0) notes.push_back(fmt::format("{}: {}", text, count));
}

}  // namespace

Workload open_swf(const std::string& path, const WorkloadOptions& options) {
  Diagnostics diagnostics;
  LineErrors errors(path, diagnostics);
  SwfLines lines(path, options.processors_per_node, errors);
  std::vector<bool> seen;
  Time latest = 0;
  Time lateness = 0;
  std::uint64_t unsorted = 0;
  for (SwfJob job; lines.next(job);) {
    const auto number = static_cast<std::size_t>(job.number);
    if (number >= seen.size()) seen.resize(std::max<std::size_t>(number + 1, 2 * seen.size()));
    if (seen[number]) errors.add(job.line, 1, fmt::format("job number {} is there already", job.number));
    seen[number] = true;
    unsorted += job.submit < latest ? 1 : 0;
    lateness = std::max(lateness, latest - job.submit);
    latest = std::max(latest, job.submit);
  }
  if (diagnostics.ok() && lines.counts().jobs == 0) diagnostics.error({path}, "there are no jobs in this file");
  diagnostics.throw_if_errors();
  Workload out;
  out.format = WorkloadFormat::swf;
  out.jobs = lines.counts().jobs;
  if (unsorted > 0) {
    out.notes.push_back(fmt::format("{} jobs stood behind others submitted later; they were sorted", unsorted));
  }
  add_note(out.notes, lines.counts().unknown_run, "jobs of unknown run time, left out");
  add_note(out.notes, lines.counts().unknown_processors, "jobs of unknown number of processors, left out");
  add_note(out.notes, lines.counts().parts,
           "lines on parts of jobs (status 2 to 4), left out since other lines sum them up");
  add_note(out.notes, lines.counts().cancelled,
           "jobs cancelled before they ran (status 5, run time 0 or unknown), left out");
  add_note(out.notes, lines.counts().rounded, "jobs with a time that has a fraction, rounded");
  add_note(out.notes, lines.counts().instant, "jobs with run time 0, which run for 1 second");
  out.source = std::make_unique<SwfSource>(path, options, lateness);
  return out;
}

}  // namespace weft::jobs
