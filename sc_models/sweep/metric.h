#pragma once
// Figures taken out of report.json by their path.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sweep/sweep_config.h"

namespace weft {

struct MetricValue {
  std::string member;           ///< value of the column with '*'; empty without one
  std::optional<double> value;  ///< nothing: the report says that there is none
};

struct MetricReading {
  std::vector<MetricValue> values;
  std::string unit;
  std::string error;   ///< not empty: the report has no such figure; says what it has
  std::string no_row;  ///< not empty: the table has no such row, which need not be wrong; says what it has
};

MetricReading read_metric(const MetricPath& path, const nlohmann::json& report);

/// Whether a note of a report says that a service is saturated.
bool is_note_of_saturation(const std::string& note);
/// Whether a report has such a note.
bool is_saturated(const nlohmann::json& report);

/// The path by its name since version 2 of the report, for sweeps that still ask for one of version 1 (schema
/// weft-report/1); empty when the path has no name of version 1.
std::string path_since_v2(const MetricPath& path);

}  // namespace weft
