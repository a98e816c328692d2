#include "observe/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace weft {

std::optional<std::size_t> find_column(const Table& table, std::string_view key) {
  const auto it =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Statistic& s) { return s.key == key; });
  if (it == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(it - table.columns.begin());
}

std::size_t column_index(const Table& table, std::string_view key) {
  if (const auto column = find_column(table, key)) return *column;
  throw std::logic_error(fmt::format("table {} has no column {}", table.key, key));
}

TableBars bars_of(const Table& table, std::string_view key, std::string_view within) {
  TableBars bars{.column = column_index(table, key)};
  if (!within.empty()) bars.within = column_index(table, within);
  return bars;
}

void show_columns(Table& table, const std::vector<std::string_view>& keys) {
  for (const std::string_view key : keys) {
    if (const auto column = find_column(table, key)) table.summary_columns.push_back(*column);
  }
}

}  // namespace weft
