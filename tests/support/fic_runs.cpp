#include "support/fic_runs.h"

#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "support/child.h"

namespace weft::test {

std::string Outcome::neutral_report() const {
  std::istringstream lines(report);
  std::string out;
  std::size_t left_out = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(" \"implementation\":", 0) == 0) {
      ++left_out;
    } else {
      out += line + "\n";
    }
  }
  if (left_out != 1) throw std::runtime_error("the report has no line that says which implementations ran");
  return out;
}

Outcome run_yaml(const std::string& yaml, const Overrides& set, const std::function<void(RunOptions&)>& prepare) {
  const ScratchFolder folder;
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    const FicConfig config = parse_config(yaml, "test.yaml", ".", set, diagnostics);
    const FicPlatform platform(config);
    RunOptions options;
    options.slot_trace = folder.path("slot_trace.csv");
    if (prepare) prepare(options);
    const RunResult result = run_fic(platform, options);
    return nlohmann::json{{"report", report_json(result.report)},
                          {"failure", result.failure},
                          {"complete", result.report.complete},
                          {"cycles", result.cycles}}
        .dump();
  });
  Outcome outcome;
  if (!child.ok) {
    outcome.error = child.text.empty() ? "the child failed" : child.text;
    return outcome;
  }
  const auto j = nlohmann::json::parse(child.text);
  outcome.report = j["report"];
  outcome.failure = j["failure"];
  outcome.complete = j["complete"];
  outcome.cycles = j["cycles"];
  if (std::filesystem::exists(folder.path("slot_trace.csv"))) outcome.slot_trace = slurp(folder.path("slot_trace.csv"));
  return outcome;
}

}  // namespace weft::test
