#include "run/ideal/ideal_family.h"

#include "fabrics/ideal/keys/ideal_schema.h"
#include "run/ideal/ideal_plan.h"

namespace weft {
namespace {

constexpr const char* kIdeal = "ideal";

}  // namespace

Family ideal_family() {
  return family_of<IdealConfig, IdealPlan>(
      kIdeal, "Ideal network: a latency between any two nodes and a rate of each node, the bound for other networks.",
      ideal_section, resolve_ideal);
}

IdealConfig parse_ideal_config(const std::string& text, const std::string& name, const std::string& folder,
                               const Overrides& overrides, Diagnostics& diagnostics) {
  FamilyInput input = text_input(text, name, folder, overrides, kIdeal);
  const auto section = ideal_section(input.fabrics);
  return read_family(std::move(input), kIdeal, section, resolve_ideal, diagnostics);
}

}  // namespace weft
