#include "observe/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace weft {

std::size_t column_index(const Table& table, std::string_view key) {
  const auto it =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const Statistic& s) { return s.key == key; });
  if (it == table.columns.end()) throw std::logic_error(fmt::format("table {} has no column {}", table.key, key));
  return static_cast<std::size_t>(it - table.columns.begin());
}

TableBars bars_of(const Table& table, std::string_view key, std::string_view within) {
  TableBars bars{.column = column_index(table, key)};
  if (!within.empty()) bars.within = column_index(table, within);
  return bars;
}

}  // namespace weft
