#pragma once
// Runs of packet networks from YAML, each in a process of its own.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/packet/packet_plan.h"
#include "schema/document.h"

namespace weft::test {

struct PacketOutcome {
  nlohmann::json report;
  std::string text;      ///< the report as bytes
  std::string messages;  ///< message log
  std::string failure;   ///< of the run
  std::string error;     ///< what was thrown
  std::string noted;     ///< what `after` returned

  double figure(const std::string& name) const { return report["figures"]["run"][name]["value"].get<double>(); }
  /// Cells of a table by line and heading.
  const nlohmann::json& cell(const std::string& table, std::size_t line, const std::string& column) const;
  std::size_t lines(const std::string& table) const { return report["tables"][table]["rows"].size(); }
};

/// Two NICs at two switches that send what the file `trace` says, one flit each; `run`: the section of that name.
inline std::string two_nics(const std::string& run, const std::string& trace) {
  return "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { a: { message: 64B } } }\nrun: { " +
         run + " }\ntrace: " + trace + "\n";
}

/// Two switches with two NICs each, whose Deficit Tables run in lockstep; `rest`: traffic, run and more.
inline std::string tables_in_lockstep(const std::string& rest) {
  return R"(
fabric: packet
topology: { kind: mesh, dims: [2], nodes_per_switch: 2 }
qos:
  levels: { NC: { message: 192B }, BE: { message: 1024B } }
  scheduler: dtable
  dtable: { table: [ { sl: NC, weight: 2 }, { sl: BE, weight: 7 } ], implementation: lockstep }
)" + rest;
}

/// `prepare` may add observers; `after` is asked in the same process when the run is over.
PacketOutcome run_packet_yaml(const std::string& yaml, const Overrides& set = {},
                              const std::function<void(PacketRunOptions&)>& prepare = {},
                              const std::function<std::string()>& after = {},
                              const PacketRtlBlocks& blocks = builtin_blocks<PacketRtlBlocks>());

/// What is wrong with a configuration and its network, one line each; empty when nothing is. Makes no modules.
std::vector<std::string> packet_platform_errors(const std::string& yaml, const Overrides& set = {});

}  // namespace weft::test
