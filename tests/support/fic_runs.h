#pragma once
// Whole runs in child processes, and what comes out of them.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/fic_platform.h"
#include "run/fic_simulation.h"

namespace weft::test {

struct Outcome {
  std::string error;   ///< the child ended without a result: exception or signal; else empty
  std::string report;  ///< report.json
  std::string failure;
  bool complete = false;
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
                 const std::function<void(RunOptions&)>& prepare = {});

/// A line of slot_trace.csv.
struct TraceLine {
  Cycle cycle = 0;
  SwitchId sw = 0;
  PortId port = 0;
  Slot slot = 0;
  std::string source;
  std::string destinations;
  std::uint32_t circuit = 0;
  std::uint64_t message = 0;
  std::uint32_t word = 0;
};
std::vector<TraceLine> parse_slot_trace(const std::string& csv);

/// A folder of its own for files of a test, gone at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string path(const std::string& name = "") const;

 private:
  std::string folder_;
};

std::string slurp(const std::string& path);

}  // namespace weft::test
