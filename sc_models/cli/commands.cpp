#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/output_folder.h"
#include "base/parsed_inputs.h"
#include "base/resource_need.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/built_with.h"
#include "cli/check_guard.h"
#include "cli/checkpoints.h"
#include "cli/describe.h"
#include "cli/families.h"
#include "cli/output.h"
#include "cli/report/repetition.h"
#include "cli/report/report_input.h"
#include "cli/report/run_record.h"
#include "cli/study_options.h"
#include "cli/terminal.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "parallel/ranks.h"
#include "run/triggered_run.h"
#include "schema/resolved.h"
#include "schema/yaml_tree.h"
#include "sweep/sweep_config.h"
#include "workload/program_file.h"
#include "workload/wave_trigger.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Overrides overrides_of(const RunArguments& arguments) {
  Overrides overrides = arguments.set;
  if (arguments.seed) overrides.push_back("seed=" + *arguments.seed);
  return overrides;
}

/// A design and every value that it is made of, as reports hold them.
struct ResolvedDesign {
  std::unique_ptr<Design> design;
  std::shared_ptr<const Json> configuration;
};

// Value of a key `a.b` that somebody has written; null: nobody has.
const YamlNode* written_value(const YamlNode& root, const std::string& key) {
  const YamlNode* node = &root;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    const YamlEntry* const entry = node->find(key.substr(begin, end - begin));
    if (entry == nullptr) return nullptr;
    node = &entry->value;
    begin = end + 1;
  }
  return origin_text(node->where) == "default" ? nullptr : node;
}

// Place of the first key written of those that a reason names in quotes, as in "'memory.model: hbm2' is ..."; the file
// where there is none.
Location place_of(const std::string& reason, const YamlNode& root, const std::string& file) {
  std::size_t begin = reason.find('\'');
  while (begin != std::string::npos) {
    const std::size_t end = reason.find('\'', begin + 1);
    if (end == std::string::npos) break;
    const std::string named = reason.substr(begin + 1, end - begin - 1);
    const YamlNode* const value = written_value(root, named.substr(0, named.find(':')));
    if (value != nullptr) return value->where;
    begin = reason.find('\'', end + 1);
  }
  return {file};
}

// The design that a configuration describes; its warnings are printed. `values`, if it is there: every value as a tree.
ResolvedDesign design_of(const RunArguments& arguments, ConfigInput input, const Registry& registry, bool resolve,
                         YamlNode* values = nullptr) {
  Diagnostics diagnostics;
  YamlNode in_force;
  ResolvedDesign out;
  out.design = read_design(registry, std::move(input.document), input.file, overrides_of(arguments), diagnostics,
                           resolve ? &in_force : nullptr);
  print_warnings(diagnostics.list());
  if (in_force.kind == YamlNode::Kind::map) out.configuration = std::make_shared<Json>(resolved_json(in_force));
  if (values != nullptr) *values = std::move(in_force);
  return out;
}

// The list of files of a run.
std::string files_text(const RunArguments& arguments, const RunResult& result) {
  std::string out;
  const auto line = [&](const std::string& names, const std::string& meaning) {
    out += fmt::format("  {:<28} {}\n", names, meaning);
  };
  line("report.html", "open in a browser");
  for (const FileNote& note : result.notes) line(note.names, note.meaning);
  for (const Picture& p : result.pictures) line(p.name + ".svg", fmt::format("{}; drawn by {}.gp", p.meaning, p.name));
  if (!arguments.waves.empty() && result.files.size() >= 2) {  // fewer: the waveform could not be completed
    out += fmt::format("waves: gtkwave {}   (view of {})\n", result.files[1], result.files[0]);
    if (!result.waves.empty()) out += result.waves + "\n";
  }
  return out;
}

// Writes what a run leaves behind and tells where it is.
int finish_run(const RunArguments& arguments, const OutputFolder* folder, const std::string& title, RunResult result) {
  try {
    if (folder != nullptr) {
      for (const Picture& p : result.pictures) draw_chart(folder->path(), p.name, p.chart);
      add_charts(result.report, result.pictures);
      write_report(folder->path(), result.report, result.artifacts);
    }
  } catch (const std::runtime_error& e) {  // the failure of the run is told all the same
    if (result.failure.empty()) throw;
    throw RunError(result.failure + "\n" + e.what());
  }
  if (arguments.json) {
    say("{}", report_json(result.report));
  } else {
    say("{}\n{}\nresults in {}/\n{}", printable(title.empty() ? arguments.config : title), summary_text(result.report),
        folder->path().string(), files_text(arguments, result));
  }
  if (!result.failure.empty()) {
    say(stderr, "error: {}\n", result.failure);
    return kRunFailed;
  }
  if (result.interrupted) {
    say(stderr, "interrupted: the report is partial\n");
    return kInterrupted;
  }
  return kDone;
}

int finish_check(const RunArguments& arguments, const RunRecord& record, const fs::path& working_folder,
                 RunResult known) {
  if (!arguments.out.path.empty()) {
    const auto folder = fresh_folder(arguments.out, "", {kRunRecord});
    known.artifacts.push_back({kRunRecord, record.json(folder->path(), working_folder)});
    write_report(folder->path(), known.report, known.artifacts);
  }
  if (arguments.json) {
    say("{}", report_json(known.report));
  } else {
    say("{}: ok\n{}", arguments.config, summary_text(known.report));
    if (!arguments.out.path.empty()) say("\npredictions in {}/\n", arguments.out.path);
  }
  return kDone;
}

// The folder of a run, empty of old results; made only when the configuration is known to be right. None for a run that
// writes no files.
std::unique_ptr<OutputFolder> run_folder(const RunArguments& arguments, const ConfigInput& input) {
  if (arguments.no_files) return nullptr;
  if (!arguments.waves.empty()) check_waves(arguments.waves, arguments.out.overwrite);
  // A report that is run again is an input, and its folder stays as it is.
  const std::string name = default_name(input, arguments.config);
  const std::vector<std::string> kept =
      arguments.checkpoint_every.empty() ? std::vector<std::string>{} : std::vector<std::string>{kCheckpoint};
  auto folder = fresh_folder(arguments.out, name, {kRunRecord}, kept);
  if (!arguments.waves.empty()) remove_old_waves(arguments.waves);
  return folder;
}

// A program file by itself; what only a fabric can tell is checked with a configuration that names it.
int check_program(const RunArguments& arguments, const ConfigDocument& document) {
  if (!arguments.set.empty() || arguments.seed || !arguments.out.path.empty()) {
    throw InputError({arguments.config}, "a program file is checked without --set, --seed and --out");
  }
  const ProgramFile file = read_program_file(document);
  std::size_t instructions = 0;
  for (const NodeProgram& p : file.programs) instructions += p.instructions.size();
  if (arguments.json) {
    say_json(Json{{"ok", true}, {"title", file.title}, {"nodes", file.nodes}, {"instructions", instructions}});
  } else {
    say("{}: ok, programs for {} nodes, {} instructions with repetitions written out\n", arguments.config, file.nodes,
        instructions);
  }
  return kDone;
}

}  // namespace

namespace {

/// All that comes before a run.
struct PreparedRun {
  ConfigInput input;
  ResolvedDesign resolved;
  std::unique_ptr<Plan> plan;
  std::unique_ptr<OutputFolder> folder;
  RunOptions options;
};

PreparedRun prepare_run(const RunArguments& arguments, const Registry& registry, Ranks* ranks) {
  ConfigInput input = load_config(arguments.config);
  if (is_program_file(input.document)) {
    throw InputError({arguments.config},
                     "has programs but no network; name it with the key program_file of a configuration");
  }
  if (is_dlt_document(input.document)) {
    throw InputError({arguments.config}, "fabric 'dlt' is not run in simulated time; use 'weft dlt'");
  }
  PreparedRun run;
  YamlNode values;
  run.resolved = design_of(arguments, input, registry, true, ranks != nullptr ? &values : nullptr);
  run.plan = run.resolved.design->plan(registry.blocks());
  print_warnings(run.plan->warnings());
  if (const WaveTrigger* const trigger = run.plan->wave_trigger(); trigger != nullptr && arguments.waves.empty()) {
    print_warnings({{Severity::warning, trigger->where, "observe.waves.trigger has no effect without --waves FILE"}});
  }
  run.options.waves = arguments.waves;
  run.options.ranks = ranks;
  if (ranks != nullptr) {
    const std::string why = run.plan->undivided(run.options);
    if (!why.empty()) {
      throw InputError(place_of(why, values, arguments.config), fmt::format("{} ranks: {}", ranks->size(), why));
    }
  }
  if (ranks == nullptr || ranks->rank() == 0) run.folder = run_folder(arguments, input);
  if (run.folder) run.options.folder = run.folder->path().string();
  run.input = std::move(input);
  return run;
}

// All ranks go on, or none does: the one that cannot says why.
template <class Step>
auto together(Ranks* ranks, Step&& step) {
  std::optional<decltype(step())> out;
  try {
    out.emplace(step());
  } catch (const std::exception& e) {
    if (ranks != nullptr) ranks->compare(e.what());
    throw;
  }
  if (ranks != nullptr) {
    for (const std::string& trouble : ranks->compare("")) {
      if (!trouble.empty()) throw RunError(trouble);
    }
  }
  return std::move(*out);
}

}  // namespace

int run(const RunArguments& arguments, const Registry& registry, Ranks* ranks) {
  if (!arguments.resume.empty()) {
    if (ranks != nullptr) {
      throw InputError({"--resume"},
                       "a run on several ranks has no checkpoints: go on with one process, without mpirun");
    }
    resume_run(arguments.resume);
  }
  if (arguments.config.empty()) throw InputError({"weft run"}, "expected a configuration, or --resume FOLDER");
  const bool saves = !arguments.checkpoint_every.empty();
  const auto every =
      saves ? wall_time("--checkpoint-every", arguments.checkpoint_every) : std::chrono::steady_clock::duration{};
  if (saves && ranks != nullptr) {
    throw InputError({"--checkpoint-every"},
                     "a run on several ranks has no checkpoints: they hold memory of MPI together");
  }
  const RunRecord record;
  const ParsedInputs inputs;
  PreparedRun prepared = together(ranks, [&] { return prepare_run(arguments, registry, ranks); });
  auto& [input, resolved, plan, folder, options] = prepared;
  catch_interrupts();
  std::optional<Checkpoints> checkpoints;
  if (saves) checkpoints.emplace(*folder, every, arguments.config);
  options.interrupted = options.search_interrupted = interrupted;
  if (checkpoints) options.interrupted = [&] { return checkpoints->interrupted(); };
  RunResult result;
  {
    ProgressBar bar("running");
    if (!arguments.json) {
      options.progress = [&](double done) {
        const std::string left = time_left(done, bar.seconds());
        const double rate = sc_core::sc_time_stamp().to_seconds() / bar.seconds();
        bar.show(done, left.empty() ? "" : fmt::format("{}, {} simulated per s", left, simulated_text(rate)));
      };
    }
    try {
      result = run_with_trigger(*plan, options);
    } catch (const std::exception& e) {
      if (ranks == nullptr) throw;
      // The others wait for this rank in places that it does not come to any more.
      std::fprintf(stderr, "error: rank %u: %s\n", ranks->rank(), printable_lines(e.what()).c_str());
      ranks->abort(kRunFailed);
    }
  }
  std::vector<std::string> of_ranks;
  if (ranks != nullptr) of_ranks = ranks->compare(RunRecord::of_rank(*ranks));
  if (ranks != nullptr && ranks->rank() != 0) return kDone;
  result.report.configuration = resolved.configuration;
  if (folder) result.artifacts.push_back({kRunRecord, record.json(folder->path(), input.working_folder, of_ranks)});
  const bool goes_on = checkpoints && result.interrupted;
  const int status = finish_run(arguments, folder.get(), plan->title(), std::move(result));
  if (goes_on && checkpoints->any()) say(stderr, "go on with: weft run --resume {}\n", folder->path().string());
  if (checkpoints && !goes_on) checkpoints->remove();
  return status;
}

int check(const RunArguments& arguments, const Registry& registry) {
  constexpr std::uint64_t kMemoryOfACheck = std::uint64_t{2} << 30;
  if (!is_usable_memory_set()) set_usable_memory(std::min(kMemoryOfACheck, usable_memory()));
  set_usable_seconds(arguments.max_time);
  const RunRecord record;
  const ParsedInputs inputs;
  std::optional<CheckGuard> guard(std::in_place, arguments.config, arguments.json);
  ConfigInput input = load_config(arguments.config);
  ConfigDocument& document = input.document;
  if (is_sweep_file(document)) {
    SweepArguments sweep;
    sweep.file = arguments.config;
    sweep.set = arguments.set;
    sweep.json = arguments.json;
    if (arguments.seed)
      throw InputError({arguments.config}, "is a sweep, which lists its seeds itself: --set seeds=" + *arguments.seed);
    if (!arguments.out.path.empty()) throw InputError({"--out"}, "the check of a sweep writes nothing");
    return check_sweep(sweep, std::move(document), registry);
  }
  if (is_program_file(document)) return check_program(arguments, document);
  if (is_dlt_document(document)) {
    Diagnostics diagnostics;
    ConfigDocument in_force = document;
    const DltConfig config = read_dlt_config(std::move(document), arguments.config, overrides_of(arguments), registry,
                                             diagnostics, &in_force.root);
    print_warnings(diagnostics.list());
    return check_dlt(arguments, config, in_force, registry);
  }
  const fs::path working_folder = input.working_folder;
  const bool written = arguments.json || !arguments.out.path.empty();  // a check without a report need not resolve
  const ResolvedDesign resolved = design_of(arguments, std::move(input), registry, written);
  const auto plan = resolved.design->plan(registry.blocks());
  print_warnings(plan->warnings());
  RunResult known = plan->known();
  known.report.configuration = resolved.configuration;
  guard.reset();
  return finish_check(arguments, record, working_folder, std::move(known));
}

namespace {

// Pages of all keys, written below the folder.
int describe_into(const Registry& registry, const std::string& folder) {
  for (const Page& page : describe_pages(registry)) {
    const fs::path path = fs::path(folder) / page.name;
    std::error_code wrong;
    fs::create_directories(path.parent_path(), wrong);
    if (wrong)
      throw InputError({folder},
                       fmt::format("cannot make the folder '{}': {}", path.parent_path().string(), wrong.message()));
    write_file(path, page.text);
    say("{}\n", path.string());
  }
  return kDone;
}

}  // namespace

int describe(const Registry& registry, const DescribeArguments& a) {
  if (!a.pages.empty()) return describe_into(registry, a.pages);
  say("{}", !a.key.empty()      ? describe_key(registry, a.key)
            : !a.schema.empty() ? describe_schema(registry, a.schema)
            : a.json            ? describe_json(registry)
                                : describe_text(registry));
  return kDone;
}

int version(bool json, bool verbose) {
  if (json) {
    Json out{{"name", "weft"}, {"version", kVersion}, {"report_schema", kReportSchema}};
    if (verbose) {
      for (const auto& [name, version] : kBuiltWith) out["built_with"][name] = version;
    }
    say_json(out);
    return kDone;
  }
  say("weft {}\n", kVersion);
  if (verbose) {
    for (const auto& [name, version] : kBuiltWith) say("  {:<22} {}\n", name, version);
  }
  return kDone;
}

}  // namespace weft::cli
