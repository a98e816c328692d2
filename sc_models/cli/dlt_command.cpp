// `weft dlt`: a divisible load on a network.

#include <fmt/format.h>

#include <optional>

#include "base/diagnostics.h"
#include "cli/commands.h"
#include "cli/families.h"
#include "cli/output.h"
#include "cli/report/repetition.h"
#include "cli/report/report_input.h"
#include "cli/report/run_record.h"
#include "cli/study_options.h"
#include "cli/terminal.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "studies/dlt/dlt_report.h"
#include "studies/dlt/dlt_run.h"
#include "studies/dlt/dlt_schema.h"

namespace weft::cli {

int dlt(const DltArguments& arguments, const Registry& registry) {
  const RunRecord record;
  const LoadedDlt loaded = load_dlt(arguments, registry);
  const DltConfig& config = loaded.config;
  std::optional<ConfigInput> input;
  if (!arguments.config.empty()) input = load_config(arguments.config);
  const std::string name = input ? default_name(*input, arguments.config) : "dlt";
  check_folder(arguments.out, name, {kRunRecord});
  const dlt::Study study = dlt::make_study(config);
  const std::vector<dlt::CurvePoint> curve = dlt::make_curve(config, study);
  ReportData report = dlt_report(config, study, curve);
  report.configuration = input ? configuration_of(input->document, dlt_overrides(arguments),
                                                  *dlt_section(fabric_words(registry)).info(), {"dlt", kThisReport})
                               : arguments.options;
  std::vector<DltPicture> pictures = dlt_pictures(config, study, curve);
  std::vector<Artifact> files;
  bool programs = false;
  if (config.run) {
    const DltNetworkStudy run = run_dlt(config, loaded.document, study, registry);
    add_dlt_run(config, study, run, report);
    for (DltPicture& p : dlt_run_pictures(study, run)) pictures.push_back(std::move(p));
    files = dlt_program_files(run);
    programs = !files.empty();
  }
  const auto folder =
      fresh_folder(arguments.out, name, {kRunRecord});  // what can be wrong with the input has been found by now
  for (const DltPicture& p : pictures) draw_chart(folder->path(), p.name, p.chart);
  add_charts(report, pictures);
  files.push_back({kRunRecord, record.json(folder->path(), input ? input->working_folder : "")});
  write_report(folder->path(), report, files);
  if (arguments.json) {
    say("{}", report_json(report));
    return kDone;
  }
  say("{}\n{}", report.title, summary_text(report));
  say("\nresults in {}/\n", folder->path().string());
  say("  {:<28} open in a browser\n", "report.html");
  say("  {:<28} for programs: nodes, links, curves over sigma\n", "report.json, *.csv");
  for (const DltPicture& p : pictures) {
    say("  {:<28} {}; drawn by {}.gp\n", p.name + ".svg", p.meaning, p.name);
  }
  if (programs) say("  {:<28} program files that any network with so many nodes can run\n", "programs_*.yaml");
  return kDone;
}

int check_dlt(const RunArguments& arguments, const DltConfig& config, const ConfigDocument& document,
              const Registry& registry) {
  if (!arguments.out.path.empty()) {
    throw InputError({"--out " + arguments.out.path}, "'weft dlt' writes the results of a divisible load");
  }
  const dlt::Network network = dlt::build_network(config);
  dlt::check_reachable(config, network, dlt::find_sources(config, network));
  if (config.run) DltNetwork(*config.run, document, static_cast<std::uint32_t>(network.nodes.size()), registry);
  if (arguments.json) {
    say("{{\n \"ok\": true\n}}\n");
  } else {
    say("{}: ok\n", arguments.config);
  }
  return kDone;
}

}  // namespace weft::cli
