#pragma once
// Comparison of reports: differences of their configurations, and every figure that all of them have.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "observe/page/page_data.h"

namespace weft::cli {

struct ComparedReport {
  std::string name;  ///< A, B, ...
  std::string path;
  std::string title;
  nlohmann::ordered_json content;
};

/// Key of a configuration whose value is not the same in all reports.
struct ConfigDifference {
  std::string key;
  std::vector<std::optional<std::string>> values;  ///< by report; none: the key is not there
};

/// Figure, or cell of a table, that all reports have.
struct ComparedFigure {
  std::string place;  ///< as sweeps name it: sections.run.accepted, tables.services[service=bulk].latency_mean
  std::string unit;
  std::string definition;
  std::vector<nlohmann::ordered_json> values;
  std::vector<std::optional<double>> half_widths;  ///< of the confidence interval, where a report has one
  bool is_main = false;                            ///< shown on a terminal
  bool unlike_units = false;                       ///< another report has another unit there
  bool same_unit = true;                           ///< false: in flits per cycle of networks where these differ

  bool same() const;
  // Against the first report; none for what is no number or counts different things.
  std::optional<double> difference(std::size_t report) const;
  std::optional<double> relative(std::size_t report) const;
  /// Whether the difference is larger than the confidence intervals of both explain; none: there are no intervals.
  std::optional<bool> beyond(std::size_t report) const;
};

/// Times of programs on several networks, of reports that are all of programs.
struct ProgramTable {
  struct Row {
    std::string program;
    std::vector<std::optional<double>> times;  ///< in ns, by network
  };
  std::vector<std::string> networks;
  std::vector<Row> rows;
};

struct Comparison {
  std::vector<ComparedReport> reports;
  std::vector<std::string> notes;
  std::vector<ConfigDifference> configuration;
  std::vector<ComparedFigure> figures;
  std::optional<ProgramTable> programs;
};

/// Throws InputError for what is no report.
Comparison compare_reports(const std::vector<std::string>& paths);

std::string comparison_text(const Comparison& comparison);
std::string comparison_markdown(const Comparison& comparison);
/// `network`: that of the first report.
std::string comparison_html(const Comparison& comparison, const std::optional<NetworkView>& network);
nlohmann::ordered_json comparison_json(const Comparison& comparison);

// Shared by the formats.

/// Headings of the keys, and of the figures: of every report but the first also what it differs by.
std::vector<std::string> key_headings(const Comparison& comparison);
std::vector<std::string> figure_headings(const Comparison& comparison);
/// A value with six digits, for people.
std::string compared_value(const nlohmann::ordered_json& value);
/// "+0.25"; empty without a number.
std::string compared_difference(const std::optional<double>& difference);
/// "+1.5%"; empty without a number.
std::string compared_percent(const std::optional<double>& relative);
/// Time of a program in us, with its ratio to that on the first network where that is another one.
std::string program_cell(const ProgramTable::Row& row, std::size_t network);

}  // namespace weft::cli
