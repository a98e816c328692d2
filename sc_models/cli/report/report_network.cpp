#include "cli/report/report_network.h"

#include <utility>

#include "base/diagnostics.h"
#include "cli/families.h"

namespace weft::cli {

std::optional<NetworkView> configured_network(const Registry& registry, ConfigInput input, const Overrides& set) {
  try {
    Diagnostics diagnostics;
    const auto design = read_design(registry, std::move(input.document), input.file, set, diagnostics);
    ReportData known = design->plan()->known().report;
    return page_of(known).network;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace weft::cli
