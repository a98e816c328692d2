#include "support/packet_runs.h"

#include "base/diagnostics.h"
#include "run/packet/packet_family.h"
#include "schema/document.h"
#include "support/child.h"

namespace weft::test {
namespace {

PacketConfig config_of(const std::string& yaml, const Overrides& set) {
  Diagnostics diagnostics;
  return parse_packet_config(yaml, "test.yaml", ".", set, diagnostics);
}

}  // namespace

const nlohmann::json& PacketOutcome::cell(const std::string& table, std::size_t line, const std::string& column) const {
  return report.at("tables").at(table).at("rows").at(line).at(column);
}

PacketOutcome run_packet_yaml(const std::string& yaml, const Overrides& set,
                              const std::function<void(PacketRunOptions&)>& prepare,
                              const std::function<std::string()>& after, const PacketRtlBlocks& blocks) {
  const ChildResult child = in_child([&] {
    const PacketConfig config = config_of(yaml, set);
    const PacketPlatform platform(config, blocks);
    PacketRunOptions options;
    if (prepare) prepare(options);
    const PacketRunResult result = run_packet(platform, options);
    return nlohmann::json{{"report", report_json(result.report)},
                          {"failure", result.failure},
                          {"messages", result.artifacts.empty() ? std::string() : result.artifacts[0].content},
                          {"noted", after ? after() : std::string()}}
        .dump();
  });
  PacketOutcome out;
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

std::vector<std::string> packet_platform_errors(const std::string& yaml, const Overrides& set) {
  std::vector<std::string> out;
  try {
    const PacketConfig config = config_of(yaml, set);
    const PacketPlatform platform(config);
  } catch (const InputError& e) {
    for (const Diagnostic& d : e.list()) out.push_back(d.text());
  }
  return out;
}

}  // namespace weft::test
