// `weft sweep`: reads a sweep file, has every point checked, runs what is not stored yet, and writes tables and plots;
// or runs one shard of it, or joins the stores of shards.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "base/output_folder.h"
#include "cli/commands.h"
#include "cli/option_checks.h"
#include "cli/output.h"
#include "cli/report/report_input.h"
#include "cli/report/run_record.h"
#include "cli/study_options.h"
#include "cli/terminal.h"
#include "observe/report.h"
#include "run/plugin.h"
#include "schema/document.h"
#include "sweep/outputs.h"
#include "sweep/run_sweep.h"
#include "sweep/shard.h"
#include "sweep/sweep_config.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string plural(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string folder_name(const ConfigInput& input, bool quick, const std::optional<SweepShard>& shard) {
  return plain_name(input.file) + (quick ? "_quick" : "") + (input.is_report ? "_again" : "") +
         (shard ? fmt::format("_shard_{}_of_{}", shard->index, shard->of) : "");
}

std::optional<SweepShard> shard_of(const SweepArguments& arguments) {
  if (arguments.shard.empty()) return std::nullopt;
  const Parsed<SweepShard> parsed = parse_shard(arguments.shard);
  if (!parsed.value) throw InputError(option_at("--shard", arguments.shard), parsed.error);
  return parsed.value;
}

constexpr const char* kStore = "results.sqlite";

// Options for child processes, with a bar that says how long it will take.
class Work {
 public:
  Work(const SweepArguments& arguments, const char* title) : bar_(title) {
    options.program = fs::read_symlink("/proc/self/exe").string();
    options.jobs = arguments.jobs > 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
    options.interrupted = interrupted;
    const auto begin = std::chrono::steady_clock::now();
    if (arguments.json) return;
    options.progress = [this, begin](std::size_t done, std::size_t of) {
      const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      std::string note = fmt::format("{} of {}", done, of);
      if (done > 0 && done < of) {
        note += fmt::format(", {} left, {:.2g} per s",
                            time_text(spent / static_cast<double>(done) * static_cast<double>(of - done)),
                            static_cast<double>(done) / spent);
      }
      bar_.show(of == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(of), note);
    };
  }
  SweepOptions options;

 private:
  ProgressBar bar_;
};

// What `weft run` refuses for every point is refused once.
void check_is_run(const SweepConfig& config) {
  if (!is_dlt_document(load_document(config.config))) return;
  throw InputError(config.config_where, "sweep: fabric 'dlt' is not run in simulated time; 'weft dlt' has curves");
}

OutputFolderOptions whole_results(const SweepArguments& arguments) {
  return results_of(arguments.out, {"results.csv", "summary.csv", "report.html", "report.json", kRunRecord}, {kStore});
}

// Points that still have something to run.
std::vector<std::size_t> points_of(const SweepPlan& plan, const std::vector<std::size_t>& runs) {
  std::set<std::size_t> points;
  for (const std::size_t r : runs) points.insert(plan.runs[r].point);
  return {points.begin(), points.end()};
}

// Says what the configurations warn of, once for all points. False: interrupted.
bool check_all(const SweepArguments& arguments, const SweepConfig& config, const SweepPlan& plan,
               const std::vector<std::size_t>& runs) {
  std::optional<std::vector<Diagnostic>> warnings;
  {
    const Work work(arguments, "checking");
    warnings = check_points(config, plan, points_of(plan, runs), work.options);
  }
  if (warnings) print_warnings(*warnings);
  return warnings.has_value();
}

void note_stored(const SweepWork& work, std::size_t all) {
  if (work.stored > 0) say(stderr, "{} of {} runs are stored already\n", work.stored, all);
  if (work.changed > 0) {
    say(stderr, "{} stored for another configuration or version of the program; running again: {}\n",
        work.changed == 1 ? "1 run was" : fmt::format("{} runs were", work.changed), work.changed);
  }
  if (work.failed_before > 0) say(stderr, "{} failed last time; trying again\n", plural(work.failed_before, "run"));
  if (work.other > 0) {
    say(stderr, "{} stored for points that are not in this sweep; kept in results.sqlite\n",
        work.other == 1 ? "1 run is" : fmt::format("{} runs are", work.other));
  }
}

// Tables and plots from what is stored; returns the names of the files.
std::vector<std::string> write_outputs(const SweepConfig& config, const SweepPlan& plan, ResultStore& store,
                                       const fs::path& out, SweepResults& results) {
  results = collect_results(config, plan, store);
  store.replace_metrics(metric_rows(config, plan, results));
  std::vector<std::string> files{kStore, "results.csv", "summary.csv", "report.html"};
  for (const SweepPlot& plot : config.plots) {
    for (const fs::path& path : write_chart(out, plot.name, sweep_chart(config, results, plot))) {
      files.push_back(path.filename().string());
    }
  }
  write_file(out / "results.csv", table_csv(results_table(config, plan, results)));
  write_file(out / "summary.csv", table_csv(summary_table(config, plan, results)));
  return files;
}

// What a sweep is made of, with the origin of every value, and its tables.
ReportData report_of(const SweepArguments& arguments, const ConfigInput& input, const SweepConfig& config,
                     const SweepPlan& plan, const SweepResults& results) {
  ReportData out = sweep_report(config, plan, results);
  out.configuration = configuration_of(input.document, arguments.set, *sweep_keys());
  return out;
}

Json failures_json(const std::vector<SweepFailure>& failures) {
  Json out = Json::array();
  for (const SweepFailure& f : failures) out.push_back({{"point", f.point}, {"seed", f.seed}, {"message", f.message}});
  return out;
}

// Points whose runs say something of themselves, such as that a level is saturated.
void print_notes(const SweepPlan& plan, const SweepResults& results) {
  constexpr std::size_t kMost = 8;
  const std::size_t seeds = plan.points.empty() ? 0 : plan.runs.size() / plan.points.size();
  std::size_t points = 0;
  for (std::size_t p = 0; p < plan.points.size(); ++p) {
    std::size_t noted = 0;
    std::string first;
    for (std::size_t r = p * seeds; r < (p + 1) * seeds; ++r) {
      if (results.runs[r].notes.empty()) continue;
      if (noted++ == 0) first = results.runs[r].notes_text();
    }
    if (noted == 0 || ++points > kMost) continue;
    say("  note: {}, {} of {}: {}\n", plan.points[p].name, noted, plural(seeds, "run"), first);
  }
  if (points > kMost) say("  note: and {}\n", plural(points - kMost, "more point"));
  if (points > 0) say("  note: all notes: column 'notes' of results.csv\n");
}

void print_failures(const std::vector<SweepFailure>& failures) {
  if (failures.empty()) return;
  say(stderr, "error: {} failed:\n", plural(failures.size(), "run"));
  for (const SweepFailure& f : failures) say(stderr, "  {}, seed {}: {}\n", f.point, f.seed, f.message);
}

void print_summary(const SweepConfig& config, const SweepPlan& plan, const SweepOutcome& outcome, const SweepWork& work,
                   const Table& summary, const fs::path& out, const std::vector<std::string>& files) {
  say("{}\n", config.title.empty() ? config.file : config.title);
  say("  {:<28} {}\n", "points", plan.points.size());
  say("  {:<28} {}\n", "seeds per point", config.seeds.size());
  say("  {:<28} {}\n", "runs", plan.runs.size());
  say("  {:<28} {}\n", "run now", outcome.ran);
  say("  {:<28} {}\n", "stored before", work.stored);
  say("  {:<28} {}\n", "failed", outcome.failures.size());
  ReportData points;
  points.tables = {summary};
  say("{}", summary_text(points));
  say("\nresults in {}/\n", out.string());
  say("  report.html                  open in a browser\n");
  say("  results.sqlite               every run with its report\n");
  say("  results.csv, summary.csv     one line per run, one per point with mean and confidence interval\n");
  say("  report.json                  the same with the configuration; 'weft sweep report.json' runs it again\n");
  for (const std::string& f : files) {
    if (f.ends_with(".svg")) {
      say("  {:<28} plot; drawn by {}.gp\n", f, fs::path(f).stem().string());
    }
  }
}

// The sweep of one command: what was read, and where the results go.
struct Opened {
  const SweepArguments& arguments;
  const ConfigInput& input;
  const SweepConfig& config;
  const SweepPlan& plan;  ///< of the whole sweep
  const fs::path& out;
  const RunRecord& record;
};

// Tables, page and report of what is stored, and what the command says at its end.
int finish(const Opened& opened, ResultStore& store, const SweepOutcome& outcome, const SweepWork& work, Json more) {
  const auto& [arguments, input, config, plan, out, record] = opened;
  SweepResults results;
  const std::vector<std::string> files = write_outputs(config, plan, store, out, results);
  const ReportData report = report_of(arguments, input, config, plan, results);
  write_file(out / kRunRecord, record.json(out, input.working_folder));
  write_file(out / "report.json", report_json(report));
  write_file(out / "report.html", report_html(report));
  if (arguments.json) {
    Json json{{"ok", outcome.failures.empty()},
              {"points", plan.points.size()},
              {"runs", plan.runs.size()},
              {"ran", outcome.ran},
              {"stored", work.stored},
              {"changed", work.changed},
              {"failures", failures_json(outcome.failures)},
              {"out", out.string()},
              {"files", files}};
    json.update(more);
    say_json(json);
  } else {
    print_summary(config, plan, outcome, work, report.tables.front(), out, files);
    print_notes(plan, results);
  }
  print_failures(outcome.failures);
  return outcome.failures.empty() ? kDone : kRunFailed;
}

// A shard has no tables: they would be those of a sweep with holes.
int finish_shard(const Opened& opened, const SweepPlan& part, SweepShard shard, const SweepOutcome& outcome,
                 const SweepWork& work) {
  const auto& [arguments, input, config, plan, out, record] = opened;
  write_file(out / kRunRecord, record.json(out, input.working_folder));
  if (arguments.json) {
    say_json(Json{{"ok", outcome.failures.empty()},
                  {"shard", fmt::format("{}/{}", shard.index, shard.of)},
                  {"runs", part.runs.size()},
                  {"ran", outcome.ran},
                  {"stored", work.stored},
                  {"changed", work.changed},
                  {"failures", failures_json(outcome.failures)},
                  {"out", out.string()},
                  {"files", Json::array({kStore})}});
  } else {
    say("{}\n", config.title.empty() ? config.file : config.title);
    say("  {:<28} {} of {}\n", "part", shard.index, shard.of);
    say("  {:<28} {} of {}\n", "runs", part.runs.size(), plan.runs.size());
    say("  {:<28} {}\n", "run now", outcome.ran);
    say("  {:<28} {}\n", "stored before", work.stored);
    say("  {:<28} {}\n", "failed", outcome.failures.size());
    say("\nresults in {}/\n", out.string());
    say("  results.sqlite               every run of this part; 'weft sweep {} --merge FOLDER...' joins the parts\n",
        config.file);
  }
  print_failures(outcome.failures);
  return outcome.failures.empty() ? kDone : kRunFailed;
}

// The database of a folder, or a database itself.
std::string store_in(const std::string& place) {
  const fs::path path = fs::is_directory(place) ? fs::path(place) / kStore : fs::path(place);
  if (!fs::is_regular_file(path)) {
    throw InputError({path.string()},
                     "does not exist; expected the folder of a shard, which has results.sqlite, or "
                     "such a database");
  }
  return path.string();
}

int merge(const Opened& opened) {
  const auto& [arguments, input, config, plan, out, record] = opened;
  std::vector<std::string> files;
  for (const std::string& place : arguments.merge) files.push_back(store_in(place));
  OutputFolder folder(out, whole_results(arguments));
  ResultStore store((out / kStore).string());
  SweepWork work;
  work.stored = work_of(plan, store.known()).stored;
  const MergeOutcome merged = merge_stores(config, plan, files, store);
  for (const MergeOutcome::Store& s : merged.stores) {
    if (s.other == 0) continue;
    say(stderr, "{}: {} for points that are not in this sweep; left out\n", s.file,
        s.other == 1 ? "1 run is" : fmt::format("{} runs are", s.other));
  }
  folder.clear();
  SweepOutcome outcome;
  std::vector<std::string> missing;
  for (const std::size_t r : merged.missing) missing.push_back(run_name(plan, r));
  for (const PlannedRun& run : plan.runs) {
    const auto stored = store.get(run.identity);
    if (!stored || stored->done) continue;
    outcome.failures.push_back({plan.points[run.point].name, run.seed, stored->message});
  }
  const int status =
      finish(opened, store, outcome, work,
             Json{{"ok", outcome.failures.empty() && missing.empty()}, {"merged", merged.added}, {"missing", missing}});
  if (missing.empty()) return status;
  say(stderr, "error: {} in no store: {}\n",
      missing.size() == 1 ? "1 run is" : fmt::format("{} runs are", missing.size()), run_names(plan, merged.missing));
  say(stderr, "  'weft sweep {} --out {}' runs what is missing\n", config.file, out.string());
  return kRunFailed;
}

}  // namespace

int sweep(const SweepArguments& arguments) {
  const RunRecord record;
  const std::optional<SweepShard> shard = shard_of(arguments);
  const ConfigInput input = load_config(arguments.file);
  const SweepConfig config = read_sweep(input.document, input.file, arguments.set, arguments.quick);
  check_is_run(config);
  const SweepPlan plan = plan_sweep(config, loaded_plugins());
  const fs::path out = folder_of(arguments.out, folder_name(input, arguments.quick, shard));
  const Opened opened{arguments, input, config, plan, out, record};
  if (!arguments.merge.empty()) return merge(opened);
  const SweepPlan part = shard ? shard_plan(plan, *shard) : plan;
  const bool exists = fs::exists(out / kStore);
  if (arguments.export_only && !exists) {
    throw InputError({(out / kStore).string()}, "does not exist; there is nothing to export");
  }
  catch_interrupts();
  // A file that is refused leaves nothing behind: points are checked before there is a folder to look into.
  const auto check = [&](const std::vector<std::size_t>& runs) { return check_all(arguments, config, part, runs); };
  const auto stop = [] {
    say(stderr, "interrupted while the points were checked\n");
    return kInterrupted;
  };
  const OutputFolderOptions folder_options =
      shard ? results_of(arguments.out, {kRunRecord}, {kStore}) : whole_results(arguments);
  if (!exists) {
    OutputFolder::check(out, folder_options);
    if (!check(work_of(part, {}).runs)) return stop();
  }
  OutputFolder folder(out, folder_options);
  ResultStore store((out / kStore).string());
  if (arguments.fresh) store.forget_all();
  if (arguments.export_only && store.known().empty()) {
    throw InputError({store.file()}, "holds no run; there is nothing to export");
  }
  SweepWork work = work_of(part, store.known());
  work.other = work_of(plan, store.known()).other;  // a run of another part is one of this sweep
  if (arguments.export_only) work.runs.clear();
  if (exists) note_stored(work, part.runs.size());
  if (exists && !check(work.runs)) return stop();

  folder.clear();
  SweepOutcome outcome;
  {
    Work run(arguments, "sweeping");
    if (!work.runs.empty()) outcome = run_sweep(config, part, work.runs, store, run.options);
  }
  if (outcome.interrupted) {
    say(stderr, "interrupted: {} of {} runs are stored; the same command runs the others\n",
        part.runs.size() - work_of(part, store.known()).runs.size(), part.runs.size());
    if (arguments.json) {
      say_json(Json{{"ok", false}, {"failure", "interrupted"}, {"ran", outcome.ran}});
    }
    return kInterrupted;
  }
  return shard ? finish_shard(opened, part, *shard, outcome, work)
               : finish(opened, store, outcome, work, Json::object());
}

int check_sweep(const SweepArguments& arguments, ConfigDocument document) {
  const SweepConfig config = read_sweep(std::move(document), arguments.file, arguments.set, false);
  check_is_run(config);
  const SweepPlan plan = plan_sweep(config, loaded_plugins());
  catch_interrupts();
  if (!check_all(arguments, config, plan, work_of(plan, {}).runs)) {
    say(stderr, "interrupted: not all points are checked\n");
    if (arguments.json) say_json(Json{{"ok", false}, {"failure", "interrupted"}});
    return kInterrupted;
  }
  if (arguments.json) {
    say_json(Json{{"ok", true}, {"points", plan.points.size()}, {"runs", plan.runs.size()}});
  } else {
    say("{}: ok\n  {}, {}\n", arguments.file, plural(plan.points.size(), "point"), plural(plan.runs.size(), "run"));
  }
  return kDone;
}

}  // namespace weft::cli
