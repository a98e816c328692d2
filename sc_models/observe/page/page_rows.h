#pragma once
// Rows of tables as the page has them: of long tables no more than open at once, and column by column.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "observe/statistic.h"

namespace weft {

/// JSON in one line.
std::string text_of(const nlohmann::ordered_json& json);

/// Most rows of a table that have room.
std::size_t most_rows(const Table& table);

/// Nine digits: a third of the bytes, and more than the page shows. Null: it is not finite.
nlohmann::ordered_json short_number(double value);

/// A row of a table as an array, its numbers shortened.
nlohmann::ordered_json row_json(const std::vector<Value>& row);

/// A cell as a number; what is none is less than all.
double number_of(const Value& value);

/// Rows of a table that the page has.
struct KeptRows {
  nlohmann::ordered_json json;     ///< `rows`, or `packed` and `length`
  std::vector<std::size_t> lines;  ///< their places in the table, ascending
};

/// Those with the longest bars are kept, without bars the first.
KeptRows rows_within(const Table& table);

}  // namespace weft
