#include "run/tdm/tdm_family.h"

#include "fabrics/tdm/keys/tdm_schema.h"
#include "run/tdm/tdm_checks.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_run.h"

namespace weft {
namespace {

constexpr const char* kTdm = "tdm";

class TdmPlan final : public Plan {
 public:
  explicit TdmPlan(const TdmConfig& config) : platform_(config) {}
  std::string title() const override { return platform_.config().title; }
  RunResult known() const override { return plan_tdm(platform_); }
  RunResult run(const RunOptions& options) const override {
    TdmRunOptions own;
    static_cast<RunOptions&>(own) = options;
    if (!options.folder.empty()) own.slot_trace = options.folder + "/slot_trace.csv";
    RunResult result = run_tdm(platform_, own);
    const bool programs = !platform_.config().programs.empty();
    if (platform_.config().setup.mode == SetupMode::in_network) {
      result.notes = {{"report.json, *.csv", "for programs: flows, circuits, failures"}};
    } else {
      result.notes = {{"report.json, *.csv", std::string("for programs: ") +
                                                 (programs ? "operations, nodes, instructions, " : "phases, ") +
                                                 "circuits, links, slot tables"},
                      {"slot_tables.txt", "routes and port tables as text"}};
    }
    return result;
  }

 private:
  TdmPlatform platform_;
};

// With errors outside the topology, places are held against the network all the same, so that all errors are told at
// once.
TdmConfig read_tdm(FamilyInput input, Diagnostics& diagnostics) {
  const auto section = tdm_section(input.fabrics);
  const auto resolve = [](const RawTdm& raw, const ConfigDocument& document, Diagnostics& own) {
    TdmConfig config = resolve_tdm(raw, document, own);
    if (!own.ok() && config.topology_is_valid) check_places_of_wrong(config, own);
    return config;
  };
  return read_family(std::move(input), kTdm, section, resolve, diagnostics);
}

}  // namespace

Family tdm_family() {
  return {kTdm, "Time-division multiplexed circuit switches (FiC-SW), with slot tables written by a central unit.",
          [](const std::vector<std::string>& fabrics) { return tdm_section(fabrics).info(); },
          [](FamilyInput input, Diagnostics& diagnostics) -> std::unique_ptr<Design> {
            return std::make_unique<ConfigDesign<TdmConfig, TdmPlan>>(read_tdm(std::move(input), diagnostics));
          }};
}

TdmConfig load_tdm_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics) {
  return read_tdm(file_input(file, overrides, kTdm), diagnostics);
}

TdmConfig parse_tdm_config(const std::string& text, const std::string& name, const std::string& folder,
                           const Overrides& overrides, Diagnostics& diagnostics) {
  return read_tdm(text_input(text, name, folder, overrides, kTdm), diagnostics);
}

}  // namespace weft
