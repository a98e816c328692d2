#include "run/optweb/optweb_family.h"

#include "fabrics/optweb/keys/optweb_schema.h"
#include "run/optweb/optweb_plan.h"

namespace weft {
namespace {

constexpr const char* kOptweb = "optweb";

OptwebSystemConfig read_optweb(FamilyInput input, Diagnostics& diagnostics) {
  const auto section = optweb_section(input.fabrics);
  return read_family(std::move(input), kOptweb, section, resolve_optweb, diagnostics);
}

}  // namespace

Family optweb_family() {
  return {kOptweb,
          "Fully connected FPGAs (OPTWEB): memory, M_DMAC, distributed switch and command sequencer of every node, "
          "running programs of collectives, or carrying messages.",
          [](const std::vector<std::string>& fabrics) { return optweb_section(fabrics).info(); },
          [](FamilyInput input, Diagnostics& diagnostics) -> std::unique_ptr<Design> {
            return std::make_unique<ConfigDesign<OptwebSystemConfig, OptwebPlan>>(
                read_optweb(std::move(input), diagnostics));
          }};
}

OptwebSystemConfig parse_optweb_config(const std::string& text, const std::string& name, const std::string& folder,
                                       const Overrides& overrides, Diagnostics& diagnostics) {
  return read_optweb(text_input(text, name, folder, overrides, kOptweb), diagnostics);
}

}  // namespace weft
