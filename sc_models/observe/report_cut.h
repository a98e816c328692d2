#pragma once
// report.json with the first rows of long tables only, for the page.

#include <cstddef>
#include <functional>
#include <string>

#include "observe/statistic.h"

namespace weft {

/// As report_json(), with at most `most_rows(table)` rows of each table.
std::string cut_report_json(const ReportData& data, const std::function<std::size_t(const Table&)>& most_rows);

}  // namespace weft
