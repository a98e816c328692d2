#include "observe/page/page_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>

#include "observe/report_cut.h"

namespace weft {
namespace {

using Json = nlohmann::ordered_json;

// The picture of the network needs the table `links`.
constexpr std::size_t kMostCells = 60'000;
constexpr std::size_t kMostLinkCells = 200'000;
constexpr std::size_t kLongTable = 2'000;  // rows
constexpr std::size_t kMostTableBytes = 1'400'000;

// Rows as they are, or, of a long table, column by column: a value that stands in every line once, few values as
// places in a list of them.
Json rows_json(const Json& rows, std::size_t columns) {
  if (rows.size() < kLongTable) return {{"rows", rows}};
  Json packed = Json::array();
  for (std::size_t c = 0; c < columns; ++c) {
    std::map<std::string, std::size_t> places;
    Json distinct = Json::array();
    Json at = Json::array();
    Json all = Json::array();
    for (const Json& row : rows) {
      all.push_back(row[c]);
      if (distinct.size() > rows.size() / 4) continue;
      const auto [place, is_new] = places.try_emplace(text_of(row[c]), distinct.size());
      if (is_new) distinct.push_back(row[c]);
      at.push_back(place->second);
    }
    if (distinct.size() == 1) {
      packed.push_back({{"all", distinct[0]}});
    } else if (distinct.size() <= rows.size() / 4) {
      packed.push_back({{"of", std::move(distinct)}, {"at", std::move(at)}});
    } else {
      packed.push_back({{"values", std::move(all)}});
    }
  }
  return {{"packed", std::move(packed)}, {"length", rows.size()}};
}

}  // namespace

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::size_t most_rows(const Table& table) {
  const std::size_t cells = table.key == "links" ? kMostLinkCells : kMostCells;
  return std::max<std::size_t>(100, cells / std::max<std::size_t>(1, table.columns.size()));
}

Json short_number(double v) {
  if (!std::isfinite(v) || v == 0) return v == 0 ? Json(0) : Json();
  if (v == std::floor(v) && std::abs(v) < 1e15) return static_cast<std::int64_t>(v);
  const double scale = std::pow(10.0, 8 - std::floor(std::log10(std::abs(v))));
  const double rounded = std::round(v * scale) / scale;
  return std::isfinite(rounded) ? Json(rounded) : Json(v);
}

Json row_json(const std::vector<Value>& row) {
  Json out = Json::array();
  for (const Value& value : row) {
    const auto* number = std::get_if<double>(&value);
    out.push_back(number != nullptr ? short_number(*number) : json_of(value));
  }
  return out;
}

double number_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value); number != nullptr && std::isfinite(*number)) return *number;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  return -std::numeric_limits<double>::infinity();
}

KeptRows rows_within(const Table& table) {
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t most = most_rows(table);
  if (order.size() > std::min(most, kLongTable) && table.bars) {
    const auto number = [&](std::size_t r) { return number_of(table.rows[r][table.bars->column]); };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return number(a) > number(b); });
  }
  std::size_t count = std::min(most, order.size());
  for (;;) {
    KeptRows out{{}, {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count)}};
    std::sort(out.lines.begin(), out.lines.end());
    Json kept = Json::array();
    for (const std::size_t r : out.lines) kept.push_back(row_json(table.rows[r]));
    out.json = rows_json(kept, table.columns.size());
    const std::size_t bytes = count < kLongTable ? 0 : text_of(out.json).size();
    if (bytes <= kMostTableBytes) return out;
    count = std::min(count * kMostTableBytes / bytes, count - 1);
  }
}

}  // namespace weft
