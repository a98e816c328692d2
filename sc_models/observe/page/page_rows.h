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

/// A cell of a table whose rows are arrays, as a number; what is none is less than all.
double number_of(const nlohmann::ordered_json& row, std::size_t column);

/// Rows of a table that the page has.
struct KeptRows {
  nlohmann::ordered_json json;     ///< `rows`, or `packed` and `length`
  std::vector<std::size_t> lines;  ///< their places in the table, ascending
};

/// `rows`: all of the table as arrays; those with the longest bars are kept, without bars the first.
KeptRows rows_within(const nlohmann::ordered_json& rows, const Table& table);

}  // namespace weft
