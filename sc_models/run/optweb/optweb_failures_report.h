#pragma once
// Links that fail and bit errors, as reports of OPTWEB networks have them; nothing where there are none.

#include <optional>

#include "fabrics/optweb/optweb_network.h"
#include "observe/report.h"

namespace weft {

/// Adds the section `faults` with the tables `faults` (a line per failure) and `link_repeats` (a line per link), of a
/// run that ended at `end`.
void add_failures(const OptwebConfig& config, const OptwebNetwork& network, Picoseconds end, ReportData& report);

/// Notes about failures that may not be meant so, of a run that ended at `end`; nothing: nobody knows.
void add_failure_notes(const OptwebConfig& config, std::optional<Picoseconds> end, ReportData& report);

}  // namespace weft
