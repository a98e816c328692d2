#include "commands.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/files.h"
#include "base/version.h"
#include "config/config.h"
#include "config/dlt_config.h"
#include "report/report.h"
#include "run/fic_platform.h"
#include "run/fic_simulation.h"
#include "terminal.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

FicConfig load(const RunArguments& arguments) {
  Overrides overrides = arguments.set;
  if (arguments.seed) overrides.push_back("seed=" + *arguments.seed);
  Diagnostics diagnostics;
  FicConfig config = load_config(arguments.config, overrides, diagnostics);
  for (const Diagnostic& d : diagnostics.list()) fmt::print(stderr, "{}\n", d.text());
  return config;
}

fs::path output_folder(const RunArguments& arguments) {
  return arguments.out.empty() ? fs::path("out") / fs::path(arguments.config).stem() : fs::path(arguments.out);
}

// The waveform and its view must not land on each other or on a result.
void check_waves_name(const RunArguments& arguments, const fs::path& folder) {
  if (arguments.waves.empty()) return;
  const fs::path waves(arguments.waves);
  const bool among_results = fs::weakly_canonical(waves).parent_path() == fs::weakly_canonical(folder);
  if (waves.extension() == ".gtkw" || (among_results && waves.extension() != ".fst")) {
    throw InputError({"--waves " + arguments.waves}, "expected a file name that ends in .fst");
  }
  if (waves.has_parent_path()) prepare_folder(waves.parent_path());  // before anything old is removed
}

void print_error(bool json, const char* kind, const Json& errors, const std::string& text) {
  fmt::print(stderr, "{}\n", text);
  if (json) fmt::print("{}\n", Json{{"ok", false}, {"failure", kind}, {"errors", errors}}.dump(1));
}

void print_files(const fs::path& folder, const RunResult& result, bool waves) {
  fmt::print("\nresults in {}/\n", folder.string());
  fmt::print("  report.html                  open in a browser\n");
  fmt::print("  report.json, *.csv           for programs: phases, circuits, links, slot tables\n");
  fmt::print("  slot_tables.txt              routes and port tables as text\n");
  if (waves) {
    fmt::print("waves: gtkwave {}   (view: {})\n", result.files[0], result.files[1]);
  }
}

}  // namespace

int run(const RunArguments& arguments) {
  const FicConfig config = load(arguments);
  const FicPlatform platform(config);
  const fs::path folder = output_folder(arguments);
  check_waves_name(arguments, folder);
  prepare_folder(folder);
  remove_old_results(folder);

  RunOptions options;
  options.waves = arguments.waves;
  options.slot_trace = (folder / "slot_trace.csv").string();
  catch_interrupts();
  options.interrupted = interrupted;
  RunResult result;
  {
    ProgressBar bar("running");
    if (!arguments.json) options.progress = [&](double done) { bar.show(done); };
    result = run_fic(platform, options);
  }
  write_report(folder, result.report, result.artifacts);
  if (arguments.json) {
    fmt::print("{}", report_json(result.report));
  } else {
    fmt::print("{}\n{}", config.title.empty() ? config.file : config.title, summary_text(result.report));
    print_files(folder, result, !arguments.waves.empty());
  }
  if (!result.failure.empty()) {
    fmt::print(stderr, "error: {}\n", result.failure);
    return kRunFailed;
  }
  if (result.interrupted) {
    fmt::print(stderr, "interrupted: the report is partial\n");
    return kInterrupted;
  }
  return kDone;
}

int check(const RunArguments& arguments) {
  if (is_dlt_config(arguments.config, arguments.set)) return check_dlt(arguments);
  const FicConfig config = load(arguments);
  const FicPlatform platform(config);
  const RunResult plan = plan_fic(platform);
  if (!arguments.out.empty()) {
    remove_old_results(output_folder(arguments));
    write_report(arguments.out, plan.report, plan.artifacts);
  }
  if (arguments.json) {
    fmt::print("{}", report_json(plan.report));
  } else {
    fmt::print("{}: ok\n{}", arguments.config, summary_text(plan.report));
    if (!arguments.out.empty()) fmt::print("\npredictions and slot tables in {}/\n", arguments.out);
  }
  return kDone;
}

int describe(bool markdown, bool json) {
  fmt::print("{}", json ? describe_json() : markdown ? describe_markdown() : describe_text());
  return kDone;
}

int version(bool json) {
  if (json) {
    fmt::print("{}\n", Json{{"name", "weft"}, {"version", kVersion}, {"report_schema", kReportSchema}}.dump(1));
  } else {
    fmt::print("weft {}\n", kVersion);
  }
  return kDone;
}

void print_usage_error(const std::string& message) {
  const Json errors = Json::array({{{"severity", "error"}, {"file", "command line"}, {"message", message}}});
  fmt::print("{}\n", Json{{"ok", false}, {"failure", "bad input"}, {"errors", errors}}.dump(1));
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
    const std::string text = "error: not enough memory for this network";
    print_error(json, "run failed", Json::array({{{"message", text}}}), text);
    return kRunFailed;
  } catch (const std::exception& e) {
    const std::string text = fmt::format("error: {}", e.what());
    print_error(json, "run failed", Json::array({{{"message", e.what()}}}), text);
    return kRunFailed;
  }
}

}  // namespace weft::cli
