// What a sweep writes and says at its end.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "base/diagnostics.h"
#include "cli/failure.h"
#include "cli/output.h"
#include "cli/report/repetition.h"
#include "cli/report/report_network.h"
#include "cli/sweep/steps.h"
#include "cli/terminal.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "schema/document.h"
#include "sweep/outputs.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// Tables and plots from what is stored; returns the names of the files.
std::vector<std::string> write_outputs(const SweepConfig& config, const SweepPlan& plan, ResultStore& store,
                                       const fs::path& out, const std::vector<SaturationCurve>& curves,
                                       SweepResults& results) {
  results = collect_results(config, plan, store, curves);
  store.replace_metrics(metric_rows(config, plan, results));
  std::vector<std::string> files{kSweepStore, "results.csv", "summary.csv", "report.html"};
  for (const SweepPlot& plot : config.plots) {
    for (const fs::path& path : draw_chart(out, plot.name, sweep_chart(config, results, plot))) {
      files.push_back(path.filename().string());
    }
  }
  write_file(out / "results.csv", table_csv(results_table(config, plan, results)));
  write_file(out / "summary.csv", table_csv(summary_table(config, plan, results)));
  if (config.refine) {
    write_file(out / "saturation.csv", table_csv(saturation_table(config, results)));
    files.emplace_back("saturation.csv");
  }
  return files;
}

std::optional<NetworkView> first_network(const OpenedSweep& sweep) {
  if (sweep.plan.points.empty()) return std::nullopt;
  Overrides set;
  for (const SweepSetting& s : sweep.plan.points.front().settings) set.push_back(s.assignment());
  try {
    return configured_network(sweep.registry, {load_document(sweep.config.config), sweep.config.config}, set);
  } catch (const InputError&) {
    return std::nullopt;  // the file has gone since the sweep began
  }
}

// What a sweep is made of, with the origin of every value, and its tables.
ReportData report_of(const OpenedSweep& sweep, const SweepResults& results) {
  const SweepArguments& arguments = sweep.arguments;
  ReportData out = sweep_report(sweep.config, sweep.plan, results);
  page_of(out).network = first_network(sweep);
  std::vector<std::string> command{"sweep", kThisReport};
  if (arguments.quick) command.emplace_back("--quick");
  out.configuration = configuration_of(sweep.input.document, arguments.set, *sweep_keys(), command);
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
    say("  note: {}, {} of {}: {}\n", plan.points[p].name, noted, counted(seeds, "run"), first);
  }
  if (points > kMost) say("  note: and {}\n", counted(points - kMost, "more point"));
  if (points > 0) say("  note: all notes: column 'notes' of results.csv\n");
}

void print_failures(const std::vector<SweepFailure>& failures) {
  if (failures.empty()) return;
  say(stderr, "error: {} failed:\n", counted(failures.size(), "run"));
  for (const SweepFailure& f : failures) say(stderr, "  {}, seed {}: {}\n", f.point, f.seed, f.message);
}

void print_summary(const SweepConfig& config, const SweepPlan& plan, const SweepOutcome& outcome, const SweepWork& work,
                   const std::vector<Table>& tables, const fs::path& out, const std::vector<std::string>& files) {
  say("{}\n", config.title.empty() ? config.file : config.title);
  say("  {:<28} {}\n", "points", plan.points.size());
  say("  {:<28} {}\n", "seeds per point", config.seeds.size());
  say("  {:<28} {}\n", "runs", plan.runs.size());
  say("  {:<28} {}\n", "run now", outcome.ran);
  say("  {:<28} {}\n", "stored before", work.stored);
  say("  {:<28} {}\n", "failed", outcome.failures.size());
  ReportData points;
  points.tables = tables;
  say("{}", summary_text(points));
  say("\nresults in {}/\n", out.string());
  say("  report.html                  open in a browser\n");
  say("  results.sqlite               every run with its report\n");
  say("  results.csv, summary.csv     one line per run, one per point with mean and confidence interval\n");
  if (config.refine) say("  saturation.csv               one line per curve with the load that was found\n");
  say("  report.json                  the same with the configuration; 'weft sweep report.json' runs it again\n");
  for (const std::string& f : files) {
    if (f.ends_with(".svg")) {
      say("  {:<28} plot; drawn by {}.gp\n", f, fs::path(f).stem().string());
    }
  }
}

}  // namespace

int finish_sweep(const OpenedSweep& sweep, ResultStore& store, const SweepOutcome& outcome, const SweepWork& work,
                 const nlohmann::ordered_json& more) {
  const auto& [config, plan, out] = std::tie(sweep.config, sweep.plan, sweep.out);
  SweepResults results;
  const std::vector<std::string> files = write_outputs(config, plan, store, out, sweep.curves, results);
  const ReportData report = report_of(sweep, results);
  write_file(out / kRunRecord, sweep.record.json(out, sweep.input.working_folder));
  write_file(out / "report.json", report_json(report));
  write_file(out / "report.html", report_html(report));
  if (sweep.arguments.json) {
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
    std::vector<Table> shown = report.tables;
    shown.pop_back();  // the runs one by one
    print_summary(config, plan, outcome, work, shown, out, files);
    print_notes(plan, results);
  }
  print_failures(outcome.failures);
  return outcome.failures.empty() ? kDone : kRunFailed;
}

int finish_shard(const OpenedSweep& sweep, const SweepOutcome& outcome, const SweepWork& work) {
  const auto& [config, plan, out] = std::tie(sweep.config, sweep.plan, sweep.out);
  const std::size_t runs = sweep.part().runs.size();
  write_file(out / kRunRecord, sweep.record.json(out, sweep.input.working_folder));
  if (sweep.arguments.json) {
    say_json(Json{{"ok", outcome.failures.empty()},
                  {"shard", fmt::format("{}/{}", sweep.shard->index, sweep.shard->of)},
                  {"runs", runs},
                  {"ran", outcome.ran},
                  {"stored", work.stored},
                  {"changed", work.changed},
                  {"failures", failures_json(outcome.failures)},
                  {"out", out.string()},
                  {"files", Json::array({kSweepStore})}});
  } else {
    say("{}\n", config.title.empty() ? config.file : config.title);
    say("  {:<28} {} of {}\n", "part", sweep.shard->index, sweep.shard->of);
    if (config.refine) {
      say("  {:<28} {}\n", "runs", runs);  // of the other curves it is not known how many they need
    } else {
      say("  {:<28} {} of {}\n", "runs", runs, plan.runs.size());
    }
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

}  // namespace weft::cli
