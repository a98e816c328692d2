#include "run/ideal/ideal_family.h"

#include "fabrics/ideal/keys/ideal_schema.h"
#include "run/ideal/ideal_plan.h"

namespace weft {
namespace {

constexpr const char* kIdeal = "ideal";

IdealConfig read_ideal(FamilyInput input, Diagnostics& diagnostics) {
  const auto section = ideal_section(input.fabrics);
  return read_family(std::move(input), kIdeal, section, resolve_ideal, diagnostics);
}

}  // namespace

Family ideal_family() {
  return {
      kIdeal,
      "Ideal network: a latency between any two nodes and a rate of each node, the bound that networks are measured "
      "against.",
      [](const std::vector<std::string>& fabrics) { return ideal_section(fabrics).info(); },
      [](FamilyInput input, Diagnostics& diagnostics) -> std::unique_ptr<Design> {
        return std::make_unique<ConfigDesign<IdealConfig, IdealPlan>>(read_ideal(std::move(input), diagnostics));
      }};
}

IdealConfig parse_ideal_config(const std::string& text, const std::string& name, const std::string& folder,
                               const Overrides& overrides, Diagnostics& diagnostics) {
  return read_ideal(text_input(text, name, folder, overrides, kIdeal), diagnostics);
}

}  // namespace weft
