#include "support/optweb_runs.h"

#include <cmath>

#include "base/diagnostics.h"
#include "run/optweb/optweb_family.h"
#include "run/optweb/optweb_plan.h"
#include "schema/document.h"
#include "support/child.h"

namespace weft::test {

std::int64_t OptwebOutcome::cycles(std::size_t line, const std::string& column) const {
  return std::llround(cell(line, column).get<double>() / 5);
}

OptwebOutcome run_optweb_yaml(const std::string& yaml, const Overrides& set,
                              const std::function<void(OptwebRunOptions&)>& prepare,
                              const std::function<std::string()>& after) {
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    const OptwebSystemConfig config = parse_optweb_config(yaml, "t.yaml", ".", set, diagnostics);
    const OptwebPlan plan(config, builtin_blocks<BlockCatalog>());
    OptwebRunOptions options;
    if (prepare) prepare(options);
    const RunResult r = config.has_traffic() ? plan.run(options) : run_optweb(OptwebPlatform(config), options);
    std::string warnings;
    for (const auto& list : {diagnostics.list(), plan.warnings()}) {
      for (const Diagnostic& d : list) warnings += d.text() + "\n";
    }
    std::string messages;
    for (const Artifact& a : r.artifacts) messages += a.content;
    return nlohmann::json{{"report", report_json(r.report)},
                          {"messages", messages},
                          {"failure", r.failure},
                          {"warnings", warnings},
                          {"noted", after ? after() : ""}}
        .dump();
  });
  OptwebOutcome out;
  if (!child.ok) {
    out.error = child.text;
    return out;
  }
  const auto all = nlohmann::json::parse(child.text);
  out.text = all["report"].get<std::string>();
  out.report = nlohmann::json::parse(out.text);
  out.messages = all["messages"].get<std::string>();
  out.failure = all["failure"].get<std::string>();
  out.warnings = all["warnings"].get<std::string>();
  out.noted = all["noted"].get<std::string>();
  return out;
}

}  // namespace weft::test
