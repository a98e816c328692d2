#include "support/optweb_runs.h"

#include <cmath>

#include "base/diagnostics.h"
#include "run/optweb/optweb_family.h"
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
    const OptwebConfig config = parse_optweb_config(yaml, "t.yaml", ".", set, diagnostics);
    const OptwebPlatform platform(config);
    OptwebRunOptions options;
    if (prepare) prepare(options);
    const OptwebRunResult r = run_optweb(platform, options);
    std::string warnings;
    for (const auto* list : {&diagnostics.list(), &platform.warnings()}) {
      for (const Diagnostic& d : *list) warnings += d.text() + "\n";
    }
    return nlohmann::json{{"report", report_json(r.report)},
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
  out.failure = all["failure"].get<std::string>();
  out.warnings = all["warnings"].get<std::string>();
  out.noted = all["noted"].get<std::string>();
  return out;
}

}  // namespace weft::test
