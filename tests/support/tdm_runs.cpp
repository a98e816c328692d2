#include "support/tdm_runs.h"

#include <filesystem>

#include "run/tdm/tdm_family.h"
#include "schema/document.h"
#include "support/child.h"
#include "support/neutral_report.h"

namespace weft::test {

std::string Outcome::neutral_report() const { return test::neutral_report(report); }

Outcome run_yaml(const std::string& yaml, const Overrides& set, const std::function<void(TdmRunOptions&)>& prepare,
                 const TdmRtlBlocks& blocks) {
  const ScratchFolder folder;
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    const TdmConfig config = parse_tdm_config(yaml, "test.yaml", ".", set, diagnostics);
    const TdmPlatform platform(config, blocks);
    TdmRunOptions options;
    options.slot_trace = folder.path("slot_trace.csv");
    if (prepare) prepare(options);
    const TdmRunResult result = run_tdm(platform, options);
    std::string messages;
    for (const Artifact& a : result.artifacts) {
      if (a.name == "messages.csv") messages = a.content;
    }
    return nlohmann::json{{"report", report_json(result.report)},
                          {"messages", messages},
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
  outcome.messages = j["messages"];
  outcome.failure = j["failure"];
  outcome.complete = j["complete"];
  outcome.cycles = j["cycles"];
  if (std::filesystem::exists(folder.path("slot_trace.csv"))) outcome.slot_trace = slurp(folder.path("slot_trace.csv"));
  return outcome;
}

}  // namespace weft::test
