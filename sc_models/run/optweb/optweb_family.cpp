#include "run/optweb/optweb_family.h"

#include "fabrics/optweb/keys/optweb_schema.h"
#include "run/optweb/optweb_platform.h"
#include "run/optweb/optweb_run.h"

namespace weft {
namespace {

constexpr const char* kOptweb = "optweb";

class OptwebPlan final : public Plan {
 public:
  explicit OptwebPlan(const OptwebConfig& config) : platform_(config) {}
  std::string title() const override { return platform_.config().title; }
  std::vector<Diagnostic> warnings() const override { return platform_.warnings(); }
  RunResult known() const override { return plan_optweb(platform_); }
  RunResult run(const RunOptions& options) const override {
    OptwebRunOptions own;
    static_cast<RunOptions&>(own) = options;
    RunResult result = run_optweb(platform_, own);
    result.notes = {{"report.json, *.csv", "for programs: instructions, nodes, curves of measured operations"}};
    return result;
  }

 private:
  OptwebPlatform platform_;
};

OptwebConfig read_optweb(FamilyInput input, Diagnostics& diagnostics) {
  const auto section = optweb_section(input.fabrics);
  return read_family(std::move(input), kOptweb, section, resolve_optweb, diagnostics);
}

}  // namespace

Family optweb_family() {
  return {kOptweb,
          "Fully connected FPGAs (OPTWEB): memory, M_DMAC, distributed switch and command sequencer of every node, "
          "running programs of collectives.",
          [](const std::vector<std::string>& fabrics) { return optweb_section(fabrics).info(); },
          [](FamilyInput input, Diagnostics& diagnostics) -> std::unique_ptr<Design> {
            return std::make_unique<ConfigDesign<OptwebConfig, OptwebPlan>>(read_optweb(std::move(input), diagnostics));
          }};
}

OptwebConfig parse_optweb_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics) {
  return read_optweb(text_input(text, name, folder, overrides, kOptweb), diagnostics);
}

}  // namespace weft
