// What the ways to run a sweep have in common.

#include "cli/sweep/steps.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/diagnostics.h"
#include "cli/failure.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Bar of the processes that have ended, with how long the others will take; of a shard whose messages go to a file a
// line now and then, which `--launcher` reads too.
class ChildProgress {
 public:
  ChildProgress(const OpenedSweep& sweep, const char* title)
      : bar_(title), shown_(!sweep.arguments.json), logged_(sweep.shard && isatty(STDERR_FILENO) == 0) {}
  void show(std::size_t done, std::size_t of) {
    constexpr double kSecondsBetweenLines = 10;
    if (logged_ && bar_.seconds() - line_ >= kSecondsBetweenLines) {
      say(stderr, "{} of {} runs\n", done, of);
      line_ = bar_.seconds();
    }
    if (!shown_) return;
    const double spent = bar_.seconds();
    std::string note = fmt::format("{} of {}", done, of);
    if (done > 0 && done < of) {
      note +=
          fmt::format(", {} left, {}", time_text(spent / static_cast<double>(done) * static_cast<double>(of - done)),
                      rate_text(static_cast<double>(done) / spent));
    }
    bar_.show(of == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(of), note);
  }

 private:
  ProgressBar bar_;
  bool shown_;
  bool logged_;
  double line_ = 0;  ///< time of the last
};

}  // namespace

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

SweepPlan OpenedSweep::part() const { return shard ? shard_plan(config, plan, *shard) : plan; }

bool OpenedSweep::refine(const ResultStore& store) {
  if (!search) return false;
  const std::size_t before = plan.points.size();
  RefinedSweep refined = search->replay(store);
  config = std::move(refined.config);
  plan = std::move(refined.plan);
  curves = std::move(refined.curves);
  return plan.points.size() > before;
}

SweepWork work_left(const OpenedSweep& sweep, const ResultStore& store) {
  const std::vector<ResultStore::Known> known = store.known();
  SweepWork work = work_of(sweep.part(), known, sweep.memory);
  work.other = work_of(sweep.plan, known).other;  // a run of another part is one of this sweep
  return work;
}

OutputFolderOptions whole_results(const OpenedSweep& sweep) {
  std::vector<std::string> certain{"results.csv", "summary.csv", "report.html", "report.json", kRunRecord};
  if (sweep.config.refine) certain.emplace_back("saturation.csv");
  return results_of(sweep.arguments.out, std::move(certain), {kSweepStore});
}

SweepOptions child_options(const OpenedSweep& sweep) {
  SweepOptions out;
  out.program = fs::read_symlink("/proc/self/exe").string();
  out.jobs = sweep.arguments.jobs > 0 ? sweep.arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
  out.memory = sweep.memory;
  out.nice = sweep.arguments.nice;
  out.interrupted = interrupted;
  return out;
}

std::vector<std::size_t> points_of(const SweepPlan& plan, const std::vector<std::size_t>& runs) {
  std::set<std::size_t> points;
  for (const std::size_t r : runs) points.insert(plan.runs[r].point);
  return {points.begin(), points.end()};
}

void note_stored(const SweepWork& work, std::size_t all, bool only_stored) {
  if (is_quiet()) return;
  if (work.stored > 0) say(stderr, "{} of {} runs are stored already\n", work.stored, all);
  if (work.changed > 0) {
    say(stderr, "{} stored for another configuration or version of the program; {}\n",
        work.changed == 1 ? "1 run was" : fmt::format("{} runs were", work.changed),
        only_stored ? "left out" : fmt::format("running again: {}", work.changed));
  }
  if (work.failed_before > 0 && !only_stored) {
    say(stderr, "{} failed last time; trying again\n", counted(work.failed_before, "run"));
  }
  if (!work.too_large.empty() && !only_stored) {
    say(stderr, "{} needed more memory than the limit; they run again with a higher one (--memory)\n",
        counted(work.too_large.size(), "run"));
  }
  if (work.other > 0) {
    say(stderr, "{} stored for points that are not in this sweep; kept in results.sqlite\n",
        work.other == 1 ? "1 run is" : fmt::format("{} runs are", work.other));
  }
}

bool check_sweep_points(const OpenedSweep& sweep, const std::vector<std::size_t>& points) {
  std::optional<std::vector<Diagnostic>> warnings;
  {
    ChildProgress progress(sweep, "checking");
    warnings = check_points(sweep.config, sweep.plan, points, child_options(sweep));
  }
  if (warnings) print_warnings(*warnings);
  return warnings.has_value();
}

SweepOutcome run_part(OpenedSweep& sweep, ResultStore& store, SweepWork& work) {
  SweepOutcome outcome;
  ChildProgress progress(sweep, "sweeping");
  SweepOptions options = child_options(sweep);
  options.progress = [&](std::size_t done, std::size_t of) { progress.show(done, of); };
  std::set<std::string> tried;  // a run that fails is not tried again in this command
  for (std::vector<std::size_t> runs = work.runs;;) {
    const SweepPlan part = sweep.part();
    for (const std::size_t r : runs) tried.insert(part.runs[r].identity);
    if (!runs.empty()) {
      SweepOutcome next = run_sweep(sweep.config, part, runs, store, options);
      outcome.ran += next.ran;
      outcome.interrupted = next.interrupted;
      std::move(next.failures.begin(), next.failures.end(), std::back_inserter(outcome.failures));
    }
    if (outcome.interrupted || !sweep.refine(store)) break;
    const SweepPlan grown = sweep.part();
    runs = work_of(grown, store.known(), sweep.memory).runs;
    std::erase_if(runs, [&](std::size_t r) { return tried.contains(grown.runs[r].identity); });
  }
  if (outcome.interrupted) return outcome;
  std::vector<std::size_t> too_large = work_of(sweep.part(), store.known(), sweep.memory).too_large;
  const SweepPlan part = sweep.part();
  std::erase_if(too_large, [&](std::size_t r) { return tried.contains(part.runs[r].identity); });
  add_failures(sweep, store, too_large, outcome);
  return outcome;
}

void add_failures(const OpenedSweep& sweep, const ResultStore& store, const std::vector<std::size_t>& runs,
                  SweepOutcome& outcome) {
  const SweepPlan part = sweep.part();
  for (const std::size_t r : runs) {
    const PlannedRun& run = part.runs[r];
    const auto stored = store.get(run.identity);
    if (!stored || stored->done) continue;
    outcome.failures.push_back({part.points[run.point].name, run.seed, stored->message});
  }
}

int interrupted_check() {
  say(stderr, "interrupted while the points were checked\n");
  return kInterrupted;
}

int interrupted_runs(const OpenedSweep& sweep, const ResultStore& store, std::size_t ran) {
  const SweepPlan part = sweep.part();
  const SweepWork left = work_of(part, store.known(), sweep.memory);
  say(stderr, "interrupted: {} of {} runs are stored; the same command runs the others\n",
      part.runs.size() - left.runs.size() - left.too_large.size(), part.runs.size());
  if (sweep.arguments.json) say_json(Json{{"ok", false}, {"failure", "interrupted"}, {"ran", ran}});
  return kInterrupted;
}

}  // namespace weft::cli
