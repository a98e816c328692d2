#include "run/tdm/tdm_family.h"

#include "fabrics/tdm/keys/tdm_schema.h"
#include "run/tdm/tdm_checks.h"
#include "run/tdm/tdm_plan.h"

namespace weft {
namespace {

constexpr const char* kTdm = "tdm";

// With errors outside the topology, places are held against the network all the same, so that all errors are told at
// once.
TdmConfig read_tdm(FamilyInput input, Diagnostics& diagnostics) {
  const auto section = tdm_section(input.fabrics);
  const auto resolve = [](const RawTdm& raw, const ConfigDocument& document, Diagnostics& own) {
    TdmConfig config = resolve_tdm(raw, document, own);
    if (!own.ok() && config.topology_is_valid) check_places_of_wrong(config, own);
    const auto& bundles = raw.slots.value.bundles;
    if (own.ok() && bundles.given) warn_without_bundles(config, bundles.key_where, own);
    return config;
  };
  return read_family(std::move(input), kTdm, section, resolve, diagnostics, renew_sources);
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
