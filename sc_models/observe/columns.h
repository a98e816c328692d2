#pragma once
// Tables out of columns: each column is declared once together with its value in a row, so that no heading can stand
// above the cells of another one.
//
//   const Columns<Row> columns{{{"link", "", "the directed link"}, &Row::link},
//                              {{"load", "%", "share of time"}, [&](const Row& r) { return 100 * r.busy / time; }}};
//   const Table t = make_table({"links", "Links", "One line per link."}, columns, rows);

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "observe/statistic.h"

namespace weft {

/// Numbers and texts as values of a report; what is not there has no value.
template <class T>
Value as_value(const T& v) {
  if constexpr (std::is_same_v<T, Value>) {
    return v;
  } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
    return Value{v};
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(v);
  } else if constexpr (std::is_convertible_v<const T&, std::string>) {
    return std::string(v);
  } else {  // std::optional
    return v ? as_value(*v) : Value{};
  }
}

/// One column: what it holds, and its value in a row.
template <class Row>
struct Column {
  /// `of`: a function of a row, or a member of it.
  template <class Of>
  requires std::invocable<const Of&, const Row&> Column(Statistic statistic, Of value)
      : what(std::move(statistic)),
        of([value = std::move(value)](const Row& row) -> Value { return as_value(std::invoke(value, row)); }) {}

  Statistic what;
  std::function<Value(const Row&)> of;
};

template <class Row>
using Columns = std::vector<Column<Row>>;

/// Columns about a part of a row: `part` gives it.
template <class Row, class Part, class Of>
Columns<Row> columns_of(const Columns<Part>& columns, Of part) {
  Columns<Row> out;
  for (const Column<Part>& c : columns) {
    out.emplace_back(c.what, [of = c.of, part](const Row& row) { return of(std::invoke(part, row)); });
  }
  return out;
}

template <class Row>
Columns<Row>& operator+=(Columns<Row>& columns, Columns<Row> more) {
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

/// The values of one row as figures of a section.
template <class Row>
std::vector<Figure> figures_of(const Columns<Row>& columns, const Row& row) {
  std::vector<Figure> out;
  for (const Column<Row>& c : columns) out.push_back({c.what, c.of(row)});
  return out;
}

struct TableName {
  std::string key;
  std::string title;
  std::string meaning;
};

/// A table with one line per element of `rows`.
template <class Row, class Rows>
Table make_table(TableName name, const Columns<Row>& columns, const Rows& rows) {
  Table t;
  t.key = std::move(name.key);
  t.title = std::move(name.title);
  t.meaning = std::move(name.meaning);
  for (const Column<Row>& c : columns) t.columns.push_back(c.what);
  for (const Row& row : rows) {
    std::vector<Value>& cells = t.rows.emplace_back();
    cells.reserve(columns.size());
    for (const Column<Row>& c : columns) cells.push_back(c.of(row));
  }
  return t;
}

/// Place of a column, if there is one of that key.
std::optional<std::size_t> find_column(const Table& table, std::string_view key);
/// The same; throws std::logic_error when there is none.
std::size_t column_index(const Table& table, std::string_view key);
/// Bars beside the amounts of a column, in proportion to the largest of the table or of the rows that agree in
/// `within`.
TableBars bars_of(const Table& table, std::string_view key, std::string_view within = {});

/// Those of these columns that the table has are shown on a terminal.
void show_columns(Table& table, const std::vector<std::string_view>& keys);

}  // namespace weft
