// `weft sweep`: reads a sweep file, has every point checked, runs what is not stored yet, and writes tables and plots;
// or runs one shard of it, or joins the stores of shards.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/input_file.h"
#include "base/output_folder.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/families.h"
#include "cli/option_checks.h"
#include "cli/output.h"
#include "cli/report/repetition.h"
#include "cli/report/report_input.h"
#include "cli/study_options.h"
#include "cli/sweep/steps.h"
#include "cli/terminal.h"
#include "run/load_plugin.h"
#include "schema/document.h"
#include "sweep/run_sweep.h"
#include "sweep/shard.h"
#include "sweep/sweep_config.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// The report of a sweep that was started with --quick; its configuration has the whole file.
bool of_quick_sweep(const std::string& report) {
  const std::vector<std::string> words = command_words(*report_at(report), report);
  return std::find(words.begin(), words.end(), "--quick") != words.end();
}

std::string folder_name(const ConfigInput& input, const std::string& given, bool quick,
                        const std::optional<SweepShard>& shard) {
  return default_name(input, given) + (quick && !input.is_report ? "_quick" : "") +
         (shard ? fmt::format("_shard_{}_of_{}", shard->index, shard->of) : "");
}

std::optional<SweepShard> shard_of(const SweepArguments& arguments) {
  if (arguments.shard.empty()) return std::nullopt;
  const Parsed<SweepShard> parsed = parse_shard(arguments.shard);
  if (!parsed.value) throw InputError(option_at("--shard", arguments.shard), parsed.error);
  return parsed.value;
}

std::uint64_t memory_of(const SweepArguments& arguments) {
  constexpr std::int64_t kLeast = std::int64_t{16} << 20;  // no run starts with less
  if (arguments.memory.empty()) return 0;
  const Parsed<DataSize> size = parse_data_size(arguments.memory);
  if (!size.value) throw InputError(option_at("--memory", arguments.memory), size.error);
  if (size.value->bits / 8 < kLeast) {
    throw InputError(option_at("--memory", arguments.memory), "expected a size of at least 16MiB");
  }
  return static_cast<std::uint64_t>(size.value->bits) / 8;
}

// What `weft run` refuses for every point is refused once.
void check_is_run(const SweepConfig& config) {
  open_named(config.config_where, "sweep", [&] { return InputFile(config.config); });
  if (!is_dlt_document(load_document(config.config))) return;
  throw InputError(config.config_where, "sweep: fabric 'dlt' is not run in simulated time; 'weft dlt' has curves");
}

OpenedSweep open_sweep(const Registry& registry, const SweepArguments& arguments, const ConfigInput& input,
                       const RunRecord& record) {
  OpenedSweep sweep{registry, arguments, input, {}, record};
  sweep.memory = memory_of(arguments);
  sweep.shard = shard_of(arguments);
  sweep.config = read_sweep(input.document, input.file, arguments.set, arguments.quick);
  check_is_run(sweep.config);
  sweep.planner = std::make_unique<SweepPlanner>(sweep.config, loaded_plugins());
  sweep.plan = sweep.planner->plan();
  if (sweep.config.refine) {
    sweep.search = std::make_unique<SaturationSearch>(sweep.config, sweep.plan, *sweep.planner);
  }
  sweep.out = folder_of(arguments.out, folder_name(input, arguments.file, arguments.quick, sweep.shard));
  return sweep;
}

}  // namespace

int sweep(const SweepArguments& given, const Registry& registry) {
  const RunRecord record;
  const ConfigInput input = load_config(given.file);
  const bool configuration = input.document.root.find("fabric") != nullptr;  // told by the reader
  if (!input.is_report && !configuration) check_command("sweep", *sweep_keys(), input.document, input.file);
  SweepArguments arguments = given;
  arguments.quick = given.quick || (input.is_report && of_quick_sweep(given.file));
  OpenedSweep sweep = open_sweep(registry, arguments, input, record);
  if (!arguments.merge.empty()) return merge_shards(sweep);
  if (!arguments.launcher.empty()) return launch_sweep(sweep);
  const fs::path database = sweep.out / kSweepStore;
  const bool exists = fs::exists(database);
  if (arguments.export_only && !exists) {
    throw InputError({database.string()}, "does not exist; there is nothing to export");
  }
  catch_interrupts();
  // A file that is refused leaves nothing behind: points are checked before there is a folder to look into.
  const OutputFolderOptions folder_options =
      sweep.shard ? results_of(arguments.out, {kRunRecord}, {kSweepStore}) : whole_results(sweep);
  if (!exists) {
    OutputFolder::check(sweep.out, folder_options);
    const SweepPlan part = sweep.part();
    if (!check_sweep_points(sweep, points_of(part, work_of(part, {}).runs))) return interrupted_check();
  }
  refuse_checkpoint(arguments.out, sweep.out);
  OutputFolder folder(sweep.out, folder_options);
  ResultStore store(database.string());
  if (arguments.fresh) store.forget_all();
  if (arguments.export_only && store.known().empty()) {
    throw InputError({store.file()}, "holds no run; there is nothing to export");
  }
  sweep.refine(store);
  SweepWork work = work_left(sweep, store);
  if (arguments.export_only) return export_stored(sweep, store, folder, work);
  if (exists) {
    const SweepPlan part = sweep.part();
    note_stored(work, part.runs.size());
    if (!check_sweep_points(sweep, points_of(part, work.runs))) return interrupted_check();
  }
  folder.clear();
  const SweepOutcome outcome = run_part(sweep, store, work);
  if (outcome.interrupted) return interrupted_runs(sweep, store, outcome.ran);
  return sweep.shard ? finish_shard(sweep, outcome, work) : finish_sweep(sweep, store, outcome, work, Json::object());
}

int check_sweep(const SweepArguments& arguments, ConfigDocument document, const Registry& registry) {
  const RunRecord record;
  const ConfigInput input{std::move(document), arguments.file};
  const OpenedSweep sweep = open_sweep(registry, arguments, input, record);
  const SweepPlan& plan = sweep.plan;
  catch_interrupts();
  if (!check_sweep_points(sweep, points_of(plan, work_of(plan, {}).runs))) {
    say(stderr, "interrupted: not all points are checked\n");
    if (arguments.json) say_json(Json{{"ok", false}, {"failure", "interrupted"}});
    return kInterrupted;
  }
  if (arguments.json) {
    say_json(Json{{"ok", true}, {"points", plan.points.size()}, {"runs", plan.runs.size()}});
  } else {
    say("{}: ok\n  {}, {}\n", arguments.file, counted(plan.points.size(), "point"), counted(plan.runs.size(), "run"));
  }
  return kDone;
}

}  // namespace weft::cli
