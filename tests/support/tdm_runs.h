#pragma once
// Whole runs in child processes, and what comes out of them.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_run.h"
#include "schema/document.h"
#include "support/scratch.h"
#include "support/slot_trace.h"

namespace weft::test {

struct Outcome {
  std::string error;   ///< the child ended without a result: exception or signal; else empty
  std::string report;  ///< report.json
  std::string failure;
  bool complete = false;
  std::string messages;    ///< message log of traffic
  std::string slot_trace;  ///< content of slot_trace.csv if the configuration asks for it
  Cycle cycles = 0;

  nlohmann::json json() const { return nlohmann::json::parse(report); }
  /// report.json without the line that says which implementations ran.
  std::string neutral_report() const;
  /// Rows of a table of the report.
  nlohmann::json table(const std::string& key) const { return json()["tables"][key]["rows"]; }
  nlohmann::json figure(const std::string& section, const std::string& key) const {
    return json()["figures"][section][key]["value"];
  }
};

/// Runs a configuration in a child process. `prepare` changes the options there.
Outcome run_yaml(const std::string& yaml, const Overrides& set = {},
                 const std::function<void(TdmRunOptions&)>& prepare = {},
                 const TdmRtlBlocks& blocks = builtin_blocks<TdmRtlBlocks>());

}  // namespace weft::test
