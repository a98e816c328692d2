#pragma once
// Runs of OPTWEB networks from YAML, each in a process of its own.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_run.h"
#include "schema/document.h"

namespace weft::test {

struct OptwebOutcome {
  nlohmann::json report;
  std::string text;      ///< the report as bytes
  std::string messages;  ///< message log of traffic
  std::string failure;   ///< of the run
  std::string error;     ///< what was thrown: bad input
  std::string warnings;  ///< one line each
  std::string noted;     ///< what `after` returned

  /// Cell of the table of instructions.
  const nlohmann::json& cell(std::size_t line, const std::string& column) const {
    return report["tables"]["instructions"]["rows"][line][column];
  }
  /// A time of that table in cycles of 5 ns.
  std::int64_t cycles(std::size_t line, const std::string& column) const;
  double figure(const std::string& section, const std::string& name) const {
    return report["figures"][section][name]["value"].get<double>();
  }
  /// Of section `startup`, as the paper has it.
  double startup_us(const std::string& name) const { return figure("startup", name) / 1e3; }
};

OptwebOutcome run_optweb_yaml(const std::string& yaml, const Overrides& set = {},
                              const std::function<void(OptwebRunOptions&)>& prepare = {},
                              const std::function<std::string()>& after = {});

/// The error of such a configuration; empty: it ran.
inline std::string bad_input(const std::string& yaml) { return run_optweb_yaml(yaml).error; }

/// Configuration of four nodes; the lines of a program follow.
inline const std::string kFour = "fabric: optweb\nnodes: 4\nprogram:\n";

}  // namespace weft::test
