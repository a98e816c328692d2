// `weft compare`: reports side by side.

#include "base/files.h"
#include "base/output_folder.h"
#include "cli/commands.h"
#include "cli/compare/comparison.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace weft::cli {

int compare(const CompareArguments& arguments) {
  if (arguments.reports.size() < 2) {
    throw InputError({"weft compare"}, "expected two reports or more: files, or folders that hold a report.json");
  }
  const Comparison comparison = compare_reports(arguments.reports);
  if (!arguments.html.empty()) write_file(arguments.html, comparison_html(comparison));
  if (!arguments.out.path.empty()) {
    OutputFolder folder(arguments.out.path, results_of(arguments.out, {"compare.json", "compare.html", "compare.md"}));
    folder.clear();
    write_file(folder.path() / "compare.html", comparison_html(comparison));
    write_file(folder.path() / "compare.md", comparison_markdown(comparison));
    write_file(folder.path() / "compare.json", comparison_json(comparison).dump(1) + "\n");
  }
  if (arguments.json) {
    say_json(comparison_json(comparison));
  } else {
    say("{}", comparison_text(comparison));
    if (!arguments.out.path.empty()) say("\ncompare.html, compare.md, compare.json in {}/\n", arguments.out.path);
  }
  return kDone;
}

}  // namespace weft::cli
