// `weft optweb cost`: cost and wiring of an OPTWEB network.

#include <fmt/format.h>

#include <cstdio>

#include "base/diagnostics.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report/report_input.h"
#include "cli/terminal.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "studies/cost/optweb_cost.h"

namespace weft::cli {
namespace {

// The keys' defaults, and the paper's sum for the shared optics instead of their parts.
constexpr const char* kPaper = "optics: 3\n";

OptwebCostConfig load(const OptwebCostArguments& arguments) {
  Diagnostics diagnostics;
  OptwebCostConfig config = arguments.file.empty()
                                ? parse_optweb_cost(kPaper, "the paper's prices", ".", arguments.set, diagnostics)
                                : load_optweb_cost(arguments.file, arguments.set, diagnostics);
  print_warnings(diagnostics.list());
  return config;
}

}  // namespace

int optweb_cost(const OptwebCostArguments& arguments) {
  const OptwebCostConfig config = load(arguments);
  const auto folder = fresh_folder(arguments.out, "optweb_cost");
  ReportData report = optweb_cost_report(config);
  report.configuration = configuration_of(
      arguments.file.empty() ? parse_document(kPaper, "the paper's prices", ".") : load_document(arguments.file),
      arguments.set, *optweb_cost_keys());
  const std::vector<CostPicture> pictures = optweb_cost_pictures(config);
  for (const CostPicture& p : pictures) write_chart(folder->path(), p.name, p.chart);
  add_charts(report, pictures);
  write_report(folder->path(), report, {});
  if (arguments.json) {
    say("{}", report_json(report));
    return kDone;
  }
  say("{}\n{}\n{}", config.title, summary_text(report), optweb_cost_text(config));
  say("\nresults in {}/\n", folder->path().string());
  say("  {:<28} open in a browser\n", "report.html");
  say("  {:<28} for programs: costs, parts, wiring, dragonflies\n", "report.json, *.csv");
  for (const CostPicture& p : pictures) say("  {:<28} {}\n", p.name + ".svg", p.meaning);
  return kDone;
}

}  // namespace weft::cli
