#include "support/qos_runs.h"

#include "base/diagnostics.h"
#include "config/any_config.h"
#include "support/child.h"

namespace weft::test {
namespace {

QosConfig config_of(const std::string& yaml, const Overrides& set) {
  Diagnostics diagnostics;
  return parse_qos_config(yaml, "test.yaml", ".", set, diagnostics);
}

}  // namespace

const nlohmann::json& QosOutcome::cell(const std::string& table, std::size_t line, const std::string& column) const {
  return report.at("tables").at(table).at("rows").at(line).at(column);
}

QosOutcome run_qos_yaml(const std::string& yaml, const Overrides& set,
                        const std::function<void(QosRunOptions&)>& prepare, const std::function<std::string()>& after) {
  const ChildResult child = in_child([&] {
    const QosConfig config = config_of(yaml, set);
    const QosPlatform platform(config);
    QosRunOptions options;
    if (prepare) prepare(options);
    const QosRunResult result = run_qos(platform, options);
    return nlohmann::json{{"report", report_json(result.report)},
                          {"failure", result.failure},
                          {"messages", result.artifacts.empty() ? std::string() : result.artifacts[0].content},
                          {"noted", after ? after() : std::string()}}
        .dump();
  });
  QosOutcome out;
  if (!child.ok) {
    out.error = child.text.empty() ? "the child failed" : child.text;
    return out;
  }
  const auto j = nlohmann::json::parse(child.text);
  out.text = j["report"];
  out.report = nlohmann::json::parse(out.text);
  out.failure = j["failure"];
  out.messages = j["messages"];
  out.noted = j["noted"];
  return out;
}

std::vector<std::string> qos_platform_errors(const std::string& yaml, const Overrides& set) {
  std::vector<std::string> out;
  try {
    const QosConfig config = config_of(yaml, set);
    const QosPlatform platform(config);
  } catch (const InputError& e) {
    for (const Diagnostic& d : e.list()) out.push_back(d.text());
  }
  return out;
}

}  // namespace weft::test
