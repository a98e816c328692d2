#pragma once
// Reader of the files of `weft optweb cost`: prices and parts of an OPTWEB network. A file of its own without the key
// `fabric`; keys, types and defaults are declared in optweb_cost.cpp in the manner of every configuration (schema.h).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/optweb/cost.h"
#include "base/diagnostics.h"
#include "base/units.h"
#include "observe/plot.h"
#include "observe/report.h"
#include "schema/document.h"

namespace weft {

struct SectionInfo;

/// Merges, overrides and checks as load_tdm_config does. Throws InputError with every error found. `file`: its name.
OptwebCostConfig read_optweb_cost(ConfigDocument document, const std::string& file, const Overrides& overrides,
                                  Diagnostics& diagnostics);
/// The same, from the file.
OptwebCostConfig load_optweb_cost(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics);
/// Same, for text that stands in no file.
OptwebCostConfig parse_optweb_cost(const std::string& text, const std::string& name, const std::string& folder,
                                   const Overrides& overrides, Diagnostics& diagnostics);

/// The declaration, for `weft describe`.
std::shared_ptr<const SectionInfo> optweb_cost_keys();

// What `weft optweb cost` reports and draws.

/// Sections and tables: costs and their parts, parts of the shared optics, wiring over the number of nodes,
/// dragonflies.
ReportData optweb_cost_report(const OptwebCostConfig& config);

struct CostPicture {
  std::string name;  ///< of the file, without ending
  std::string meaning;
  Chart chart;
};

/// Cost per Gb/s by parts (the paper's Figure 17), cost of the wiring (Figure 18) and fibres over the number of nodes.
std::vector<CostPicture> optweb_cost_pictures(const OptwebCostConfig& config);

/// Costs and wiring as aligned text for the terminal.
std::string optweb_cost_text(const OptwebCostConfig& config);

}  // namespace weft
