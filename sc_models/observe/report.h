#pragma once
// Writes results: report.json, one CSV per table, report.html, and the short summary for the terminal. All four walk
// the same declarations (observe/statistic.h), so a figure has one name, unit and definition everywhere.

#include <filesystem>
#include <string>
#include <vector>

#include "observe/statistic.h"

namespace weft {

inline constexpr const char* kReportSchema = "weft-report/2";

/// Pretty-printed JSON, byte-identical for equal data.
std::string report_json(const ReportData& data);
/// One table, RFC 4180; the header line holds "key (unit)".
std::string table_csv(const Table& table);
/// Self-contained page: figures, tables and what report.page draws; byte-identical for equal data.
std::string report_html(const ReportData& data);
/// Figures marked for the summary, aligned, at most a screenful.
std::string summary_text(const ReportData& data);

/// A further file of the run, written beside the report.
struct Artifact {
  std::string name;
  std::string content;
};

/// Writes everything into `folder` (each file under a temporary name first, report.json last) and returns the paths.
/// Tables of an incomplete run are named *.partial.csv.
std::vector<std::filesystem::path> write_report(const std::filesystem::path& folder, const ReportData& data,
                                                const std::vector<Artifact>& artifacts);

}  // namespace weft
