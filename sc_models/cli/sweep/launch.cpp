// `weft sweep --launcher`: the parts of a sweep run by a scheduler, each as `weft sweep --shard`, and joined.
//
// The state of a launch is in files only: the databases of the parts, and the number of the job. So the command can be
// killed and started again; it follows a job that still runs, and otherwise submits the parts that are not complete.

#include <fmt/format.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <thread>

#include "cli/failure.h"
#include "cli/option_checks.h"
#include "cli/sweep/steps.h"
#include "cli/sweep/worker_folder.h"
#include "cli/terminal.h"
#include "sweep/launch/launcher.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

LauncherKind kind_of(const std::string& word) {
  for (std::size_t k = 0; k < kWords<LauncherKind>.size(); ++k) {
    if (kWords<LauncherKind>[k] == word) return static_cast<LauncherKind>(k);
  }
  throw InputError(option_at("--launcher", word), "expected slurm or mpi");
}

std::vector<std::string> words_for_scheduler(const SweepArguments& arguments) {
  std::vector<std::string> out;
  for (const std::string& text : arguments.launcher_args) {
    try {
      for (std::string& word : shell_words(text)) out.push_back(std::move(word));
    } catch (const std::invalid_argument& e) {
      throw InputError(option_at("--launcher-args", text), e.what());
    }
  }
  return out;
}

// Every worker reads the sweep file itself.
void check_is_readable_again(const std::string& file) {
  std::error_code ec;
  if (fs::is_regular_file(file, ec) || fs::is_directory(file, ec)) return;
  throw InputError({file}, "is a pipe or a device; every worker of a launched sweep reads it, so it must be a file");
}

// Of each value of each axis a point. Workers check all of theirs; a wrong value is told before a job waits for hours.
std::vector<std::size_t> sample_points(const SweepConfig& config, const SweepPlan& plan) {
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < plan.points.size(); ++p) {
    const std::vector<std::size_t>& at = plan.points[p].at;
    const auto others = std::count_if(at.begin(), at.end(), [](std::size_t place) { return place > 0; });
    if (others <= 1 && (!config.refine || at[config.refine->axis] < config.axes[config.refine->axis].grid())) {
      out.push_back(p);
    }
  }
  return out;
}

std::string identity_of(const SweepPlan& plan) {
  std::string text;
  for (const PlannedRun& run : plan.runs) text += run.identity + "\n";
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
}

// One command that launches workers.
class Launch {
 public:
  explicit Launch(OpenedSweep& sweep)
      : sweep_(sweep),
        kind_(kind_of(sweep.arguments.launcher)),
        launcher_(make_launcher(kind_)),
        words_(words_for_scheduler(sweep.arguments)),
        folder_(sweep.out),
        plan_(identity_of(sweep.plan)) {}

  int run() {
    check_is_readable_again(sweep_.arguments.file);
    catch_interrupts();
    OutputFolder::check(sweep_.out, whole_results(sweep_));
    const bool exists = fs::exists(sweep_.out / kSweepStore);
    if (!check_sweep_points(sweep_, sample_points(sweep_.config, sweep_.plan))) return interrupted_check();
    OutputFolder results(sweep_.out, whole_results(sweep_));
    ResultStore store((sweep_.out / kSweepStore).string());
    const std::optional<LaunchedJob> earlier = earlier_job();
    if (sweep_.arguments.fresh) {
      if (earlier) {
        throw InputError(
            {folder_.path().string()},
            fmt::format("job {} of an earlier launch still runs; cancel it before '--fresh'", earlier->id));
      }
      store.forget_all();
      folder_.remove();
    }
    sweep_.refine(store);
    MergeOutcome merged;
    if (!earlier) join_earlier(store);  // nobody writes there
    SweepWork work = work_left(sweep_, store);
    if (exists || work.stored > 0) note_stored(work, sweep_.plan.runs.size());
    const std::size_t stored_before = work.stored;
    if (earlier) {
      say(stderr, "following job {}, which an earlier launch submitted\n", earlier->id);
      if (const int status = follow(*earlier, store, merged); status != kDone) return status;
      work = work_left(sweep_, store);
    }
    bool submitted = false;
    for (std::vector<std::size_t> runs = work.runs; !runs.empty(); runs = merged.missing) {
      if (submitted && merged.added == 0) break;  // a further job would end as the last one
      if (const int status = follow(submit(store, runs), store, merged); status != kDone) return status;
      submitted = true;
    }
    results.clear();
    const std::size_t ran = submitted || earlier ? sweep_.plan.runs.size() - merged.missing.size() - stored_before : 0;
    const int status = finish_merged(sweep_, store, merged, stored_before, ran);
    if (merged.missing.empty()) {
      folder_.remove();
    } else if (folder_.has_logs()) {
      say(stderr, "  messages of the workers: {}/part_*.log\n", folder_.path().string());
    }
    return status;
  }

 private:
  // What workers of earlier launches have stored. A part of another configuration or version is removed.
  void join_earlier(ResultStore& store) {
    for (const std::string& file : folder_.stores()) {
      try {
        merge_all(sweep_, {file}, store);
      } catch (const ConflictingResults& e) {
        say(stderr, "{}; it is removed\n", e.list().front().text());
        folder_.remove_part(fs::path(file).parent_path());
      }
    }
  }

  // A job that was submitted before and still waits or runs.
  std::optional<LaunchedJob> earlier_job() {
    const std::optional<LaunchedJob> job = folder_.job();
    if (!job) return std::nullopt;
    const std::optional<JobState> state = make_launcher(job->launcher)->state(job->id);
    if (state && state->is_over()) {
      folder_.forget_job();
      return std::nullopt;
    }
    if (job->launcher != kind_ || !state) {
      throw InputError(
          {(folder_.path() / "job.json").string()},
          fmt::format("job {} of an earlier launch may still run; cancel it, and remove this file if {} no "
                      "longer knows it",
                      job->id, to_string(job->launcher)));
    }
    if (job->plan != plan_) {
      throw InputError({(folder_.path() / "job.json").string()},
                       fmt::format("job {} still runs the sweep as it was before its files or the program changed; "
                                   "cancel it or wait for its end",
                                   job->id));
    }
    return job;
  }

  LaunchedJob submit(ResultStore& store, const std::vector<std::size_t>& runs) {
    LaunchedJob job{kind_, {}, sweep_.arguments.workers, {}, plan_};
    const std::vector<std::size_t> shards = shards_of(sweep_.config, sweep_.plan, job.parts);
    std::set<std::size_t> parts;
    for (const std::size_t r : runs) parts.insert(shards[r]);
    job.tasks.assign(parts.begin(), parts.end());
    fs::create_directories(folder_.path());
    folder_.seed(sweep_, store, shards, job.tasks);
    folder_.write_script(sweep_, *launcher_, job.tasks);
    job.id = launcher_->submit({"weft:" + sweep_.out.filename().string(), (folder_.path() / "worker.sh").string(),
                                (folder_.path() / "part_%a.job").string(), job.tasks, sweep_.arguments.jobs, words_});
    if (launcher_->outlives()) folder_.note_job(job);
    if (!sweep_.arguments.json) {
      say(stderr, "{}{}: {} for {}\n", launcher_->outlives() ? "job " : "", job.id, counted(job.tasks.size(), "worker"),
          counted(runs.size(), "run"));
    }
    return job;
  }

  // Waits for the end of a job and joins what its workers have stored. The status of an interrupt, or kDone.
  int follow(const LaunchedJob& job, ResultStore& store, MergeOutcome& merged) {
    const bool ended = wait_for(job);
    if (!ended) {
      launcher_->cancel(job.id);
      wait_until_gone(job);
    }
    folder_.forget_job();
    const std::size_t before = work_left(sweep_, store).stored;
    merged = merge_all(sweep_, folder_.stores(), store);
    if (!ended) return interrupted_runs(sweep_, store, work_left(sweep_, store).stored - before);
    report_workers(job);
    return kDone;
  }

  // False: interrupted.
  bool wait_for(const LaunchedJob& job) {
    constexpr double kLeast = 0.25;  // seconds between two questions: schedulers serve many users
    constexpr double kMost = 10;
    constexpr int kSilent = 30;  // answers in a row that may fail
    ProgressBar bar("waiting");
    int silent = 0;
    for (;;) {
      const std::optional<JobState> state = launcher_->state(job.id);
      if (state && state->is_over()) return true;
      silent = state ? 0 : silent + 1;
      if (silent == kSilent) {
        throw RunError(
            fmt::format("the scheduler does not answer ({}); job {} goes on, and the same command follows it",
                        launcher_->said(), job.id));
      }
      if (state && !sweep_.arguments.json) show(job, *state, bar);
      if (!pause(std::clamp(bar.seconds() / 50, kLeast, kMost))) return false;
    }
  }

  void wait_until_gone(const LaunchedJob& job) {
    constexpr int kTries = 60;
    for (int i = 0; i < kTries; ++i) {
      const std::optional<JobState> state = launcher_->state(job.id);
      if (state && state->is_over()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    say(stderr, "warning: job {} is cancelled, but some of its workers still run\n", job.id);
  }

  static bool pause(double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (Clock::now() < end) {
      if (interrupted()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return !interrupted();
  }

  void show(const LaunchedJob& job, const JobState& state, ProgressBar& bar) const {
    std::size_t done = 0;
    for (const std::size_t i : job.tasks) done += folder_.runs_done(i);
    const auto ended =
        static_cast<double>(job.tasks.size() - std::min(job.tasks.size(), state.waiting + state.running));
    bar.show(ended / static_cast<double>(job.tasks.size()),
             fmt::format("{} waiting, {} running, about {}", state.waiting, counted(state.running, "worker"),
                         counted(done, "run")));
  }

  // Workers that did not do their work. One whose runs failed is not among them: the runs are listed.
  void report_workers(const LaunchedJob& job) const {
    constexpr std::size_t kMost = 4;
    std::size_t killed = 0;
    std::size_t absent = 0;
    std::size_t told = 0;
    for (const std::size_t i : job.tasks) {
      const std::optional<int> status = folder_.status(i);
      if (!status) ++(folder_.started(i) ? killed : absent);
      if (!status || *status == kDone || *status == kRunFailed || ++told > kMost) continue;
      say(stderr, "error: the worker of part {} ended with status {}:\n  {}\n", i, *status, folder_.last_words(i));
    }
    if (killed > 0) {
      say(stderr, "{} before the end; stored runs count\n",
          killed == 1 ? "1 worker was ended" : fmt::format("{} workers were ended", killed));
    }
    if (absent > 0) say(stderr, "{} did not start\n", counted(absent, "worker"));
    if (!launcher_->said().empty()) say(stderr, "{}\n", launcher_->said());
  }

  OpenedSweep& sweep_;
  LauncherKind kind_;
  std::unique_ptr<Launcher> launcher_;
  std::vector<std::string> words_;
  WorkerFolder folder_;
  std::string plan_;
};

}  // namespace

int launch_sweep(OpenedSweep& sweep) { return Launch(sweep).run(); }

}  // namespace weft::cli
