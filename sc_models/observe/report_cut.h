#pragma once
// A report as JSON, whole or with the first rows of long tables only, as the page takes it.

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "observe/statistic.h"

namespace weft {

/// What report.json holds, with at most `most_rows(table)` rows of each table.
nlohmann::ordered_json report_object(const ReportData& data, const std::function<std::size_t(const Table&)>& most_rows);

}  // namespace weft
