#include "sweep/run_sweep.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>

#include "base/child_process.h"
#include "base/files.h"
#include "base/resource_need.h"
#include "sweep/metric.h"
#include "sweep/prediction.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTick{200};  // an interrupt wakes the wait; this is for one that comes just before

Json parse(const std::string& text) {
  Json out = Json::parse(text, nullptr, false);
  return out.is_object() ? out : Json::object();
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

// What a process says is wrong; its warnings stand in the same list.
std::vector<Json> errors_of(const Json& answer) {
  std::vector<Json> out;
  const auto list = answer.find("errors");
  if (list == answer.end() || !list->is_array()) return out;
  std::copy_if(list->begin(), list->end(), std::back_inserter(out),
               [](const Json& e) { return e.value("severity", "error") == "error"; });
  return out;
}

// Why a process failed, in one line if it says so itself.
std::string reason(const ChildResult& result, const Json& answer) {
  if (const std::vector<Json> errors = errors_of(answer); !errors.empty()) return errors.front().value("message", "");
  std::string text = trimmed(result.err);
  const std::size_t error = text.rfind("error: ");
  if (error != std::string::npos) text = text.substr(error + 7);
  const std::string how = result.status > 128 ? fmt::format("ended by signal {}", result.status - 128)
                                              : fmt::format("ended with status {}", result.status);
  return text.empty() ? how : text;
}

// Whether a process under a limit of its memory failed because of it. The program says so itself, unless the memory ran
// out in a library that ends the process by a signal.
bool lacked_memory(const ChildResult& result, const std::string& said, std::uint64_t limit) {
  for (const char* words : {"not enough memory", "(set by --max-memory)", "bad_alloc", "Cannot allocate memory"}) {
    if (said.find(words) != std::string::npos) return true;
  }
  const int signal = result.status - 128;
  return (signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS) && result.peak_memory >= limit / 2;
}

// A path as the user would write it: from the working directory when it is below.
std::string readable(const std::string& file) {
  if (!fs::path(file).is_absolute()) return file;
  const std::string near = fs::path(file).lexically_proximate(fs::current_path()).string();
  return near.starts_with("..") ? file : near;
}

// What is said of several points: each once, with the points that have it.
class PointMessages {
 public:
  // `point` empty: of none.
  void add(const Location& where, const std::string& message, const std::string& point = {}) {
    for (Entry& e : entries_) {
      if (e.where.text() == where.text() && e.message == message) {
        ++e.further;
        return;
      }
    }
    entries_.push_back({where, message, point, 0});
  }
  void throw_if_any() const {
    Diagnostics diagnostics;
    report(&Diagnostics::error, diagnostics);
    diagnostics.throw_if_errors();
  }
  std::vector<Diagnostic> warnings() const {
    Diagnostics diagnostics;
    report(&Diagnostics::warning, diagnostics);
    return diagnostics.list();
  }

 private:
  void report(void (Diagnostics::*tell)(const Location&, std::string), Diagnostics& diagnostics) const {
    for (const Entry& e : entries_) {
      std::string at = e.point.empty() ? "" : fmt::format(" (at {}", e.point);
      if (e.further > 0) at += fmt::format(" and {} other point{}", e.further, e.further == 1 ? "" : "s");
      (diagnostics.*tell)(e.where, e.message + at + (at.empty() ? "" : ")"));
    }
    diagnostics.sort();
  }

  struct Entry {
    Location where;
    std::string message;
    std::string point;
    std::size_t further = 0;
  };
  std::vector<Entry> entries_;
};

// A place in the sweep file if a key of the sweep is meant.
Location placed(Location where, const PlannedPoint& point) {
  for (const SweepSetting& s : point.settings) {
    if (where.file == "--set " + s.assignment()) where = s.where;
  }
  where.file = readable(where.file);
  return where;
}

// The inverse of Location::text().
Location location_of(const std::string& text) {
  if (text.starts_with("--set ")) return {text};
  std::string_view file = text;
  std::vector<int> numbers;
  while (numbers.size() < 2) {
    const std::size_t colon = file.rfind(':');
    if (colon == std::string_view::npos) break;
    int number = 0;
    const char* const end = file.data() + file.size();
    const auto read = std::from_chars(file.data() + colon + 1, end, number);
    if (read.ec != std::errc() || read.ptr != end || number < 0) break;
    numbers.insert(numbers.begin(), number);
    file = file.substr(0, colon);
  }
  numbers.resize(2);
  return {std::string(file), numbers[0], numbers[1]};
}

// A process that accepts its point says on standard error, a line each, what has no effect there.
void add_warnings(const PlannedPoint& point, const ChildResult& result, PointMessages& out) {
  constexpr std::string_view kMark = ": warning: ";
  std::istringstream lines(result.err);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find(kMark);
    if (mark == std::string::npos) continue;
    out.add(placed(location_of(line.substr(0, mark)), point), line.substr(mark + kMark.size()), point.name);
  }
}

void add_errors(const SweepConfig& config, const PlannedPoint& point, const ChildResult& result, PointMessages& out) {
  const Json answer = parse(result.out);
  const std::string at = point.name;
  const std::vector<Json> errors = errors_of(answer);
  if (result.status != 2 || errors.empty()) {
    out.add(config.config_where, fmt::format("sweep: the check failed: {}", reason(result, answer)), at);
    return;
  }
  for (const Json& e : errors) {
    const Location where{e.value("file", ""), e.value("line", 0), e.value("column", 0)};
    out.add(placed(where, point), e.value("message", ""), at);
  }
}

// What a metric that a report does not have means for the sweep.
void check_metrics(const SweepConfig& config, const std::string& point, const Json& report) {
  PointMessages errors;
  for (const SweepMetric& m : config.metrics) {
    if (m.optional) continue;
    const MetricReading reading = read_metric(m.path, report);
    if (!reading.error.empty()) errors.add(m.where, fmt::format("metrics.{}: {}", m.name, reading.error), point);
  }
  errors.throw_if_any();
}

// Processor time of the processes that have ended.
double seconds_of_children() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Checks the points with these numbers; false: interrupted. Their limits are what is left of those of this process.
bool check_block(const SweepConfig& config, const SweepPlan& plan, const std::vector<std::size_t>& points,
                 const SweepOptions& options, std::map<std::size_t, ChildResult>& results) {
  const double seconds = std::clamp(usable_seconds() - seconds_of_children(), 0.1, 1e9);
  ChildPool pool;
  std::size_t next = 0;
  while (next < points.size() || pool.running() > 0) {
    if (options.interrupted()) return false;
    while (next < points.size() && pool.running() < options.jobs) {
      const std::size_t p = points[next++];
      ChildCommand command{{options.program, "check"}, config.folder, {}, 0, options.nice};
      const auto arguments = point_arguments(config, plan.points[p], config.seeds.front());
      command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
      command.arguments.insert(command.arguments.end(), {"--json", "--max-time", fmt::format("{}", seconds),
                                                         "--max-memory", fmt::format("{}B", usable_memory())});
      pool.start(p, command);
    }
    const auto finished = pool.wait(kTick);
    if (!finished) continue;
    // The interrupt reaches children too.
    if (finished->result.status != 0 && options.interrupted()) return false;
    ChildResult& result = results[finished->id] = finished->result;
    if (result.status == 0) result.out.clear();  // a report, of which there may be thousands
  }
  return true;
}

}  // namespace

std::vector<StoredAxis> axes_of(const SweepConfig& config, const PlannedPoint& point) {
  std::vector<StoredAxis> out;
  for (std::size_t a = 0; a < config.axes.size(); ++a) {
    const AxisPoint& p = config.axes[a].points[point.at[a]];
    out.push_back({config.axes[a].name, p.label, p.number});
  }
  return out;
}

std::vector<std::string> point_arguments(const SweepConfig& config, const PlannedPoint& point, std::uint64_t seed) {
  std::vector<std::string> out{fs::absolute(config.config).lexically_normal().string()};
  for (const SweepSetting& s : point.settings) {
    out.emplace_back("--set");
    out.push_back(s.assignment());
  }
  out.insert(out.end(), {"--seed", std::to_string(seed)});
  return out;
}

SweepWork work_of(const SweepPlan& plan, const std::vector<ResultStore::Known>& known, std::uint64_t memory) {
  std::map<std::string, const ResultStore::Known*> by_identity;
  std::map<std::pair<std::string, std::uint64_t>, std::string> by_point;
  for (const auto& k : known) {
    by_identity[k.identity] = &k;
    by_point[{k.point, k.seed}] = k.identity;
  }
  SweepWork work;
  std::set<std::string> planned;
  std::set<std::pair<std::string, std::uint64_t>> places;
  for (std::size_t r = 0; r < plan.runs.size(); ++r) {
    const PlannedRun& run = plan.runs[r];
    const std::pair place{plan.points[run.point].name, run.seed};
    places.insert(place);
    const auto stored = by_identity.find(run.identity);
    if (stored != by_identity.end() && stored->second->done) {
      ++work.stored;
      continue;
    }
    if (!planned.insert(run.identity).second) continue;
    if (stored != by_identity.end() && memory > 0 && memory <= stored->second->memory_limit) {
      work.too_large.push_back(r);
      continue;
    }
    work.runs.push_back(r);
    if (stored != by_identity.end()) {
      ++work.failed_before;
    } else if (by_point.count(place) != 0) {
      ++work.changed;
    }
  }
  for (const auto& k : known) work.other += places.count({k.point, k.seed}) == 0 ? 1 : 0;
  return work;
}

std::optional<std::vector<Diagnostic>> check_points(const SweepConfig& config, const SweepPlan& plan,
                                                    const std::vector<std::size_t>& points,
                                                    const SweepOptions& options) {
  constexpr std::size_t kLargestBlock = 64;  // after a block it is asked whether the others are worth their time
  constexpr std::size_t kFailedPoints = 20;  // enough to see what is wrong
  PointMessages errors;
  PointMessages warnings;
  std::size_t failed = 0;
  std::size_t block = options.jobs;
  for (std::size_t first = 0; first < points.size(); first += block, block = std::min(2 * block, kLargestBlock)) {
    block = std::min(block, points.size() - first);
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(first);
    std::map<std::size_t, ChildResult> results;  // in the order of the points, whichever ends first
    if (!check_block(config, plan, {begin, begin + static_cast<std::ptrdiff_t>(block)}, options, results)) {
      return std::nullopt;
    }
    for (const auto& [p, result] : results) {
      if (result.status == 0) {
        add_warnings(plan.points[p], result, warnings);
      } else {
        ++failed;
        add_errors(config, plan.points[p], result, errors);
      }
    }
    const std::size_t end = first + block;
    if (end == points.size()) break;
    const double seconds = seconds_of_children() * static_cast<double>(points.size()) / static_cast<double>(end);
    if (failed >= kFailedPoints || (failed > 0 && seconds > usable_seconds())) {
      errors.add(config.config_where, fmt::format("sweep: {} of {} points were checked", end, points.size()));
      break;
    }
    need_seconds(seconds, config.config_where, fmt::format("checking {} points", points.size()));
  }
  errors.throw_if_any();
  return warnings.warnings();
}

SweepOutcome run_sweep(const SweepConfig& config, const SweepPlan& plan, const std::vector<std::size_t>& runs,
                       ResultStore& store, const SweepOptions& options) {
  const std::vector<std::size_t> work = runs_by_length(plan, runs, store.known());
  SweepOutcome outcome;
  ChildPool pool;
  std::map<std::size_t, Clock::time_point> begun;
  std::map<std::size_t, std::string> commands;
  std::size_t next = 0;
  options.progress(0, work.size());
  while (next < work.size() || pool.running() > 0) {
    if (options.interrupted()) {
      outcome.interrupted = true;
      return outcome;
    }
    while (next < work.size() && pool.running() < options.jobs) {
      const std::size_t r = work[next++];
      const PlannedRun& run = plan.runs[r];
      ChildCommand command{{options.program, "run"}, config.folder, {}, kLimitsData ? options.memory : 0, options.nice};
      const auto arguments = point_arguments(config, plan.points[run.point], run.seed);
      command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
      commands[r] = "weft";
      for (auto a = command.arguments.begin() + 1; a != command.arguments.end(); ++a)
        commands[r] += " " + shell_word(*a);
      command.arguments.insert(command.arguments.end(), {"--no-files", "--json"});
      if (options.memory > 0) {
        command.arguments.insert(command.arguments.end(), {"--max-memory", fmt::format("{}B", options.memory)});
      }
      begun[r] = Clock::now();
      pool.start(r, command);
    }
    const auto finished = pool.wait(kTick);
    if (!finished) continue;
    if (options.interrupted()) continue;  // the interrupt reaches children too: they did not fail
    const std::size_t r = finished->id;
    const PlannedRun& run = plan.runs[r];
    const PlannedPoint& point = plan.points[run.point];
    const ChildResult& result = finished->result;
    const Json answer = parse(result.out);
    const bool is_report = answer.contains("figures") && answer.contains("tables");
    StoredRun stored{run.identity, point.name, run.seed, result.status == 0 && is_report, {}, 0, commands[r], {}, 0};
    stored.seconds = std::chrono::duration<double>(Clock::now() - begun[r]).count();
    if (is_report) stored.report = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!stored.done) stored.message = result.status == 0 ? "it printed no report" : reason(result, answer);
    if (!stored.done && options.memory > 0 && lacked_memory(result, stored.message, options.memory)) {
      stored.memory_limit = options.memory;
      const bool is_estimate = stored.message.find("would need about") != std::string::npos;
      stored.message = fmt::format("needs more than the {} of memory that a run may use (--memory){}",
                                   memory_text(options.memory), is_estimate ? ": " + stored.message : "");
    }
    store.put(stored, axes_of(config, point));
    ++outcome.ran;
    if (stored.done) {
      check_metrics(config, point.name, answer);
    } else {
      outcome.failures.push_back({point.name, run.seed, stored.message});
    }
    options.progress(outcome.ran, work.size());
  }
  std::sort(outcome.failures.begin(), outcome.failures.end(),
            [](const auto& a, const auto& b) { return std::tie(a.point, a.seed) < std::tie(b.point, b.seed); });
  return outcome;
}

}  // namespace weft
