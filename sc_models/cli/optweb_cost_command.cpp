// `weft optweb cost`: cost and wiring of an OPTWEB network.

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>

#include "algorithms/optweb/neighbours.h"
#include "base/diagnostics.h"
#include "cli/commands.h"
#include "cli/families.h"
#include "cli/output.h"
#include "cli/report/repetition.h"
#include "cli/report/report_input.h"
#include "cli/report/run_record.h"
#include "cli/terminal.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "run/network_view.h"
#include "studies/cost/optweb_cost.h"

namespace weft::cli {
namespace {

// The keys' defaults, and the paper's sum for the shared optics instead of their parts.
constexpr const char* kPaper =
    "optics: 3\n"
    "origins:\n"
    "  - key: optics\n"
    "    origin: stated\n"
    "    source: 'section 5.1: light sources, filters, EDFAs, splitters together'\n";

constexpr std::uint32_t kMostDrawnNodes = 256;

ConfigInput input_of(const OptwebCostArguments& arguments) {
  constexpr const char* kName = "the paper's prices";
  if (arguments.file.empty()) return {parse_document(kPaper, kName, "."), kName};
  return load_study(arguments.file);
}

}  // namespace

int optweb_cost(const OptwebCostArguments& arguments) {
  const RunRecord record;
  const ConfigInput input = input_of(arguments);
  if (!input.is_report) check_command("optweb cost", *optweb_cost_keys(), input.document, input.file);
  Diagnostics diagnostics;
  const OptwebCostConfig config = read_optweb_cost(input.document, input.file, arguments.set, diagnostics);
  print_warnings(diagnostics.list());
  const auto folder =
      fresh_folder(arguments.out, input.is_report ? name_beside(arguments.file) : "optweb_cost", {kRunRecord});
  ReportData report = optweb_cost_report(config);
  report.configuration =
      configuration_of(input.document, arguments.set, *optweb_cost_keys(), {"optweb", "cost", kThisReport});
  // Of more nodes than an FPGA has links for there are dragonflies, none of which was chosen.
  if (config.nodes - 1 <= config.links && config.nodes <= kMostDrawnNodes) {
    page_of(report).network = direct_network_view(optweb::network_graph({config.nodes}));
  }
  const std::vector<CostPicture> pictures = optweb_cost_pictures(config);
  for (const CostPicture& p : pictures) draw_chart(folder->path(), p.name, p.chart);
  add_charts(report, pictures);
  write_report(folder->path(), report, {{kRunRecord, record.json(folder->path(), input.working_folder)}});
  if (arguments.json) {
    say("{}", report_json(report));
    return kDone;
  }
  say("{}\n{}\n{}", config.title, summary_text(report), optweb_cost_text(config));
  say("\nresults in {}/\n", folder->path().string());
  say("  {:<28} open in a browser\n", "report.html");
  say("  {:<28} for programs: costs, parts, sensitivity, wiring, light\n", "report.json, *.csv");
  for (const CostPicture& p : pictures) say("  {:<28} {}\n", p.name + ".svg", p.meaning);
  return kDone;
}

}  // namespace weft::cli
