#include "observe/plot.h"

#include <fmt/format.h>

#include "base/child_process.h"
#include "base/diagnostics.h"
#include "base/output_folder.h"
#include "base/text.h"

namespace weft {
namespace {

void replace_between(std::string& text, const std::string& begin, const std::string& end, const std::string& by) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return;
  const std::size_t to = text.find(end, from);
  if (to != std::string::npos) text.replace(from, to + end.size() - from, by);
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  // -d: nobody's own settings.
  ChildCommand gnuplot{{"gnuplot", "-d"}, {}, chart_script(chart)};
  gnuplot.apart = true;
  const ChildResult result = run_child(gnuplot);
  if (result.status == 127) throw NoGnuplot("gnuplot is not installed (Debian: gnuplot-nox)");
  if (result.status != 0 || result.out.find("</svg>") == std::string::npos) {
    throw RunError(fmt::format("gnuplot could not draw '{}': {}", chart.title, result.err));
  }
  // The document is named after the chart, and does not depend on the version of the program that drew it.
  std::string svg = result.out;
  replace_between(svg, "<title>", "</title>", "<title>" + xml_text(chart.title) + "</title>");
  replace_between(svg, "<desc>", "</desc>\n", "");
  return svg;
}

std::vector<std::filesystem::path> write_chart(const std::filesystem::path& folder, const std::string& name,
                                               const Chart& chart) {
  const std::vector<std::filesystem::path> paths{folder / (name + ".svg"), folder / (name + ".gp")};
  write_file(paths[1], chart_script(chart, name + ".svg"));
  write_file(paths[0], chart_svg(chart));
  return paths;
}

}  // namespace weft
