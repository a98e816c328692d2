#pragma once
// Results as data: every figure is declared once with name, unit and meaning, and every output format is written by one
// walk over the same declarations.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weft {

struct Statistic {
  std::string key;      ///< name in JSON and CSV
  std::string unit;     ///< "" for names, counts are "1"
  std::string meaning;  ///< definition, one sentence
};

/// monostate: not available (nothing was measured).
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct Figure {
  Statistic statistic;
  Value value;
  bool in_summary = false;
};

struct ReportSection {
  std::string key;
  std::string title;
  std::vector<Figure> figures;
};

/// Amounts of a column that the page draws as bars too: each in proportion to the largest of the table, or of the rows
/// that agree with it in column `within`.
struct TableBars {
  std::size_t column = 0;
  std::optional<std::size_t> within = std::nullopt;
};

struct Table {
  std::string key;
  std::string title;
  std::string meaning;
  std::vector<Statistic> columns;
  std::vector<std::vector<Value>> rows;
  std::optional<TableBars> bars = std::nullopt;
  std::size_t given_columns = 0;               ///< in front: numbers of the user's, all their digits on the terminal
  std::vector<std::size_t> summary_columns{};  ///< shown on the terminal; none: the table is not
};

struct PageData;

struct ReportData {
  bool complete = true;  ///< false: interrupted, figures cover what had happened until then
  std::string incomplete_why;
  std::string title;
  std::string config_file;
  bool has_seed = true;  ///< false: nothing in it is random
  std::uint64_t seed = 0;
  std::string implementation;  ///< which blocks are model, rtl or lockstep
  /// Every value in force and its origin (schema/resolved.h); null: not known.
  std::shared_ptr<const nlohmann::ordered_json> configuration = nullptr;
  std::vector<std::string> notes;
  std::vector<ReportSection> sections;
  std::vector<Table> tables;
  /// Figures of links, switches and nodes by window (observe/profile); null: none.
  std::shared_ptr<const nlohmann::ordered_json> profile = nullptr;
  std::shared_ptr<PageData> page;  ///< what report.html draws besides (observe/page/page_data.h)
};

}  // namespace weft
