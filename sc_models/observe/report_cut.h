#pragma once
// Parts of a report as JSON, of which the page makes its own.

#include <nlohmann/json_fwd.hpp>

#include "observe/statistic.h"

namespace weft {

/// What report.json holds, but for the rows of tables.
nlohmann::ordered_json report_without_rows(const ReportData& data);
nlohmann::ordered_json json_of(const Value& value);

}  // namespace weft
