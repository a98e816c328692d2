#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/any_config.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "observe/report.h"
#include "run/optweb/optweb_simulation.h"
#include "run/packet/narrow_counters.h"
#include "run/packet/packet_platform.h"
#include "run/packet/packet_report.h"
#include "run/packet/packet_simulation.h"
#include "run/tdm/tdm_places.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_simulation.h"
#include "sweep/sweep_config.h"
#include "workload/program_file.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

AnyConfig config_of(const RunArguments& arguments, ConfigDocument document) {
  Overrides overrides = arguments.set;
  if (arguments.seed) overrides.push_back("seed=" + *arguments.seed);
  Diagnostics diagnostics;
  AnyConfig config =
      read_any_config(std::move(document), arguments.config, overrides, diagnostics, check_places_of_wrong);
  print_warnings(diagnostics.list());
  return config;
}

void print_error(bool json, const char* kind, const Json& errors, const std::string& text) {
  say(stderr, "{}\n", text);
  if (json) say_json(Json{{"ok", false}, {"failure", kind}, {"errors", errors}});
}

// What every run leaves behind, whatever its fabric.
struct Outcome {
  const ReportData& report;
  const std::vector<Artifact>& artifacts;
  const std::string& failure;
  bool interrupted;
};

int finish_run(const RunArguments& arguments, const OutputFolder* folder, const std::string& title,
               const Outcome& outcome, const std::string& files) {
  try {
    if (folder != nullptr) write_report(folder->path(), outcome.report, outcome.artifacts);
  } catch (const std::runtime_error& e) {  // the failure of the run is told all the same
    if (outcome.failure.empty()) throw;
    throw RunError(outcome.failure + "\n" + e.what());
  }
  if (arguments.json) {
    say("{}", report_json(outcome.report));
  } else {
    say("{}\n{}\nresults in {}/\n  report.html                  open in a browser\n{}",
        printable(title.empty() ? arguments.config : title), summary_text(outcome.report), folder->path().string(),
        files);
  }
  if (!outcome.failure.empty()) {
    say(stderr, "error: {}\n", outcome.failure);
    return kRunFailed;
  }
  if (outcome.interrupted) {
    say(stderr, "interrupted: the report is partial\n");
    return kInterrupted;
  }
  return kDone;
}

int finish_check(const RunArguments& arguments, const ReportData& report, const std::vector<Artifact>& artifacts,
                 const char* written) {
  if (!arguments.out.path.empty()) {
    const auto folder = fresh_folder(arguments.out, "");
    write_report(folder->path(), report, artifacts);
  }
  if (arguments.json) {
    say("{}", report_json(report));
  } else {
    say("{}: ok\n{}", arguments.config, summary_text(report));
    if (!arguments.out.path.empty()) say("\n{} in {}/\n", written, arguments.out.path);
  }
  return kDone;
}

// The folder of a run, empty of old results; made only when the configuration is known to be right. None for a run that
// writes no files.
std::unique_ptr<OutputFolder> run_folder(const RunArguments& arguments) {
  if (arguments.no_files) return nullptr;
  if (!arguments.waves.empty()) check_waves(arguments.waves, arguments.out.overwrite);
  auto folder = fresh_folder(arguments.out, plain_name(arguments.config));
  if (!arguments.waves.empty()) remove_old_waves(arguments.waves);
  return folder;
}

std::string waves_hint(const RunArguments& arguments, const std::vector<std::string>& files) {
  if (arguments.waves.empty() || files.size() < 2) return {};  // the waveform could not be completed
  return fmt::format("waves: gtkwave {}   (view: {})\n", files[0], files[1]);
}

template <class Options>
auto with_progress(const RunArguments& arguments, Options& options, const std::function<void()>& go) {
  catch_interrupts();
  options.interrupted = interrupted;
  ProgressBar bar("running");
  if (!arguments.json) options.progress = [&](double done) { bar.show(done); };
  go();
}

int run_fabric(const RunArguments& arguments, const TdmConfig& config) {
  const TdmPlatform platform(config);
  const auto folder = run_folder(arguments);
  TdmRunOptions options;
  options.waves = arguments.waves;
  if (folder) options.slot_trace = (folder->path() / "slot_trace.csv").string();
  TdmRunResult result;
  with_progress(arguments, options, [&] { result = run_tdm(platform, options); });
  std::string files = config.setup.mode == SetupMode::in_network
                          ? "  report.json, *.csv           for programs: flows, circuits, failures\n"
                          : fmt::format(
                                "  report.json, *.csv           for programs: {}phases, circuits, links, slot "
                                "tables\n"
                                "  slot_tables.txt              routes and port tables as text\n",
                                config.programs.empty() ? "" : "operations, nodes, instructions, ");
  files += waves_hint(arguments, result.files);
  return finish_run(arguments, folder.get(), config.title,
                    {result.report, result.artifacts, result.failure, result.interrupted}, files);
}

int run_fabric(const RunArguments& arguments, const PacketConfig& config) {
  const PacketPlatform platform(config);
  print_warnings(narrow_counters_warnings(platform));
  const auto folder = run_folder(arguments);
  PacketRunOptions options;
  options.waves = arguments.waves;
  PacketRunResult result;
  with_progress(arguments, options, [&] { result = run_packet(platform, options); });
  const char* tables = config.programs.empty()
                           ? "  report.json, *.csv           for programs: levels, latency histogram, links\n"
                           : "  report.json, *.csv           for programs: operations, nodes, instructions, links\n";
  return finish_run(arguments, folder.get(), config.title,
                    {result.report, result.artifacts, result.failure, result.interrupted},
                    tables + waves_hint(arguments, result.files));
}

int run_fabric(const RunArguments& arguments, const DltConfig&) {
  throw InputError({arguments.config}, "fabric 'dlt' is not run in simulated time; use 'weft dlt'");
}

int run_fabric(const RunArguments& arguments, const OptwebConfig& config) {
  const OptwebPlatform platform(config);
  print_warnings(platform.warnings());
  const auto folder = run_folder(arguments);
  OptwebRunOptions options;
  options.waves = arguments.waves;
  OptwebRunResult result;
  with_progress(arguments, options, [&] { result = run_optweb(platform, options); });
  std::string files =
      "  report.json, *.csv           for programs: instructions, nodes, curves of measured operations\n";
  for (const OptwebPicture& p : result.pictures) {
    if (folder) write_chart(folder->path(), p.name, p.chart);
    files += fmt::format("  {:<28} {}; drawn by {}.gp\n", p.name + ".svg", p.meaning, p.name);
  }
  files += waves_hint(arguments, result.files);
  return finish_run(arguments, folder.get(), config.title, {result.report, {}, result.failure, result.interrupted},
                    files);
}

int check_fabric(const RunArguments& arguments, const TdmConfig& config) {
  const TdmPlatform platform(config);
  const TdmRunResult plan = plan_tdm(platform);
  return finish_check(arguments, plan.report, plan.artifacts, "predictions and slot tables");
}

int check_fabric(const RunArguments& arguments, const PacketConfig& config) {
  const PacketPlatform platform(config);
  print_warnings(narrow_counters_warnings(platform));
  const PacketRunResult plan = plan_packet(platform);
  return finish_check(arguments, plan.report, plan.artifacts, "predictions");
}

int check_fabric(const RunArguments& arguments, const OptwebConfig& config) {
  const OptwebPlatform platform(config);
  print_warnings(platform.warnings());
  return finish_check(arguments, plan_optweb(platform).report, {}, "what is known before a run");
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

int check_fabric(const RunArguments& arguments, const DltConfig& config) { return check_dlt(arguments, config); }

}  // namespace

int run(const RunArguments& arguments) {
  ConfigDocument document = load_document(arguments.config);
  if (is_program_file(document)) {
    throw InputError({arguments.config},
                     "has programs but no network; name it with the key program_file of a configuration");
  }
  return std::visit([&](const auto& config) { return run_fabric(arguments, config); },
                    config_of(arguments, std::move(document)));
}

int check(const RunArguments& arguments) {
  constexpr std::uint64_t kMemoryOfACheck = std::uint64_t{2} << 30;
  if (!is_usable_memory_set()) set_usable_memory(std::min(kMemoryOfACheck, usable_memory()));
  set_usable_seconds(arguments.max_time);
  ConfigDocument document = load_document(arguments.config);
  if (is_sweep_file(document)) {
    SweepArguments sweep;
    sweep.file = arguments.config;
    sweep.set = arguments.set;
    sweep.json = arguments.json;
    if (arguments.seed) throw InputError({"--seed"}, "a sweep lists its seeds itself: --set seeds=" + *arguments.seed);
    if (!arguments.out.path.empty()) throw InputError({"--out"}, "the check of a sweep writes nothing");
    return check_sweep(sweep, std::move(document));
  }
  if (is_program_file(document)) return check_program(arguments, document);
  return std::visit([&](const auto& config) { return check_fabric(arguments, config); },
                    config_of(arguments, std::move(document)));
}

int describe(bool markdown, bool json) {
  say("{}", json ? describe_json() : markdown ? describe_markdown() : describe_text());
  return kDone;
}

int version(bool json) {
  if (json) {
    say_json(Json{{"name", "weft"}, {"version", kVersion}, {"report_schema", kReportSchema}});
  } else {
    say("weft {}\n", kVersion);
  }
  return kDone;
}

void print_usage_error(const std::string& message) {
  const Json errors = Json::array({{{"severity", "error"}, {"file", "command line"}, {"message", message}}});
  say_json(Json{{"ok", false}, {"failure", "bad input"}, {"errors", errors}});
}

int report_exception(bool json) {
  try {
    throw;
  } catch (const InputError& e) {
    Json errors = Json::array();
    for (const Diagnostic& d : e.list()) {
      errors.push_back({{"severity", d.severity == Severity::error ? "error" : "warning"},
                        {"file", d.where.file},
                        {"line", d.where.line},
                        {"column", d.where.column},
                        {"message", d.message}});
    }
    print_error(json, "bad input", errors, e.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    const std::string text = "error: not enough memory";
    print_error(json, "run failed", Json::array({{{"message", text}}}), text);
    return kRunFailed;
  } catch (const std::exception& e) {
    const std::string text = fmt::format("error: {}", e.what());
    print_error(json, "run failed", Json::array({{{"message", e.what()}}}), text);
    return kRunFailed;
  }
}

}  // namespace weft::cli
