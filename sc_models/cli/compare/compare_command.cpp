// `weft compare`: reports side by side.

#include <optional>
#include <string>

#include "base/files.h"
#include "base/output_folder.h"
#include "cli/commands.h"
#include "cli/compare/comparison.h"
#include "cli/output.h"
#include "cli/report/report_network.h"
#include "cli/terminal.h"
#include "observe/plot.h"

namespace weft::cli {
namespace {

// Times of programs over those on the first network, as bars.
Chart program_chart(const ProgramTable& programs) {
  Chart chart;
  chart.title = "Time of programs over that on " + programs.networks.front();
  chart.y.label = "times as long";
  chart.y.log = true;
  for (const ProgramTable::Row& row : programs.rows) chart.x.categories.push_back(row.program);
  for (std::size_t n = 1; n < programs.networks.size(); ++n) {
    ChartSeries bars;
    bars.name = programs.networks[n];
    bars.style = SeriesStyle::bars;
    for (std::size_t p = 0; p < programs.rows.size(); ++p) {
      const auto& times = programs.rows[p].times;
      const bool known = times.front() && times[n] && *times.front() > 0;
      bars.points.push_back({static_cast<double>(p), known ? std::optional(*times[n] / *times.front()) : std::nullopt});
    }
    chart.series.push_back(std::move(bars));
  }
  return chart;
}

// Nothing for reports of studies, which describe no network.
std::optional<NetworkView> first_network(const Comparison& comparison, const Registry& registry) {
  try {
    return configured_network(registry, load_config(comparison.reports.front().path), {});
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

int compare(const CompareArguments& arguments, const Registry& registry) {
  if (arguments.reports.size() < 2) {
    throw InputError({"weft compare"}, "expected two reports or more: files, or folders that hold a report.json");
  }
  const Comparison comparison = compare_reports(arguments.reports);
  std::string page;
  if (!arguments.html.empty() || !arguments.out.path.empty()) {
    page = comparison_html(comparison, first_network(comparison, registry));
  }
  if (!arguments.html.empty()) {
    check_page(arguments.html);
    write_file(arguments.html, page);
  }
  if (!arguments.out.path.empty()) {
    refuse_checkpoint(arguments.out, arguments.out.path);
    OutputFolder folder(arguments.out.path, results_of(arguments.out, {"compare.json", "compare.html", "compare.md"}));
    folder.clear();
    if (comparison.programs) draw_chart(folder.path(), "programs", program_chart(*comparison.programs));
    write_file(folder.path() / "compare.html", page);
    write_file(folder.path() / "compare.md", comparison_markdown(comparison));
    write_file(folder.path() / "compare.json", comparison_json(comparison).dump(1) + "\n");
  }
  if (arguments.json) {
    say_json(comparison_json(comparison));
  } else {
    say("{}", comparison_text(comparison));
    if (!arguments.out.path.empty()) {
      say("\n{}compare.html, compare.md, compare.json in {}/\n", comparison.programs ? "programs.svg, " : "",
          arguments.out.path);
    }
  }
  return kDone;
}

}  // namespace weft::cli
