#include "sweep/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace weft {
namespace {

using Json = nlohmann::json;

std::vector<std::string> names_in(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

// What is there instead: the nearest name, or all of them.
std::string instead(const std::string& name, const std::vector<std::string>& names) {
  std::string hint = did_you_mean(name, names);
  if (!hint.empty()) return hint;
  if (names.empty()) return "; there are none";
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  return "; there are: " + all;
}

std::string cell_text(const Json& cell) { return cell.is_string() ? cell.get<std::string>() : cell.dump(); }

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<double>(value) : std::nullopt;
}

bool same(const Json& cell, const std::string& text) {
  if (cell_text(cell) == text) return true;
  const auto value = number(text);
  return value && cell.is_number() && cell.get<double>() == *value;
}

// Adds the value of a cell to the reading, or the reason why it is none.
void add(const Json& cell, std::string member, const std::string& figure, MetricReading& out) {
  std::optional<double> value;
  if (cell.is_number()) value = cell.get<double>();
  if (cell.is_boolean()) value = cell.get<bool>() ? 1 : 0;
  if (cell.is_string()) out.error = fmt::format("'{}' is no number but text ('{}')", figure, cell.get<std::string>());
  out.values.push_back({std::move(member), value});
}

MetricReading read_section(const MetricPath& path, const Json& report) {
  MetricReading out;
  const Json& sections = report.at("figures");
  if (!sections.contains(path.place)) {
    out.error = fmt::format("the report has no section '{}'{}", path.place, instead(path.place, names_in(sections)));
    return out;
  }
  const Json& section = sections.at(path.place);
  if (!section.contains(path.figure)) {
    out.error = fmt::format("section '{}' has no figure '{}'{}", path.place, path.figure,
                            instead(path.figure, names_in(section)));
    return out;
  }
  const Json& figure = section.at(path.figure);
  out.unit = figure.at("unit").get<std::string>();
  add(figure.at("value"), "", path.figure, out);
  return out;
}

// What a table has instead of the row that was asked for.
std::string row_hint(const MetricPath& path, const Json& table) {
  std::string wanted;
  for (const auto& c : path.rows) wanted += fmt::format("{}{}={}", wanted.empty() ? "" : ",", c.column, c.value);
  std::string none = wanted.empty() ? fmt::format("table '{}' has no row", path.place)
                                    : fmt::format("table '{}' has no row with [{}]", path.place, wanted);
  for (const auto& c : path.rows) {
    std::vector<std::string> there;
    bool found = c.value == "*";
    for (const Json& row : table.at("rows")) {
      const std::string text = cell_text(row.at(c.column));
      found = found || same(row.at(c.column), c.value);
      if (std::find(there.begin(), there.end(), text) == there.end()) there.push_back(text);
    }
    if (found) continue;
    constexpr std::size_t kMostNames = 12;
    const bool many = there.size() > kMostNames && did_you_mean(c.value, there).empty();
    if (many) there.resize(kMostNames);
    return fmt::format("{}; column '{}'{}{}", none, c.column, there.empty() ? " is empty" : "",
                       there.empty() ? "" : " has no such value" + instead(c.value, there) + (many ? ", ..." : ""));
  }
  return none;
}

MetricReading read_table(const MetricPath& path, const Json& report) {
  MetricReading out;
  const Json& tables = report.at("tables");
  if (!tables.contains(path.place)) {
    out.error = fmt::format("the report has no table '{}'{}", path.place, instead(path.place, names_in(tables)));
    return out;
  }
  const Json& table = tables.at(path.place);
  std::vector<std::string> columns;
  for (const Json& c : table.at("columns")) {
    columns.push_back(c.at("key").get<std::string>());
    if (columns.back() == path.figure) out.unit = c.at("unit").get<std::string>();
  }
  std::vector<std::string> wanted{path.figure};
  for (const auto& c : path.rows) wanted.push_back(c.column);
  for (const std::string& column : wanted) {
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) continue;
    out.error = fmt::format("table '{}' has no column '{}'{}", path.place, column, instead(column, columns));
    return out;
  }
  const std::string* each = path.each();
  for (const Json& row : table.at("rows")) {
    const bool matches = std::all_of(path.rows.begin(), path.rows.end(), [&](const MetricPath::Condition& c) {
      return c.value == "*" || same(row.at(c.column), c.value);
    });
    if (!matches) continue;
    const std::string member = each == nullptr ? "" : cell_text(row.at(*each));
    if (std::any_of(out.values.begin(), out.values.end(), [&](const MetricValue& v) { return v.member == member; })) {
      out.error = fmt::format("table '{}' has more than one row{}; name the row by '[<column>=<value>]'", path.place,
                              path.rows.empty() ? "" : " that fits");
      return out;
    }
    add(row.at(path.figure), member, path.figure, out);
  }
  if (!out.values.empty()) return out;
  // A run in which it happened that there was nothing to list, or a name that no run has.
  out.no_row = row_hint(path, table);
  if (each == nullptr) out.values.push_back({"", std::nullopt});
  return out;
}

}  // namespace

MetricReading read_metric(const MetricPath& path, const nlohmann::json& report) {
  MetricReading out = path.table ? read_table(path, report) : read_section(path, report);
  if (out.unit == "1") out.unit.clear();
  if (const std::string now = out.error.empty() ? "" : path_since_v2(path); !now.empty()) {
    out.error = fmt::format("'{}' is a name of version 1 of the report; since version 2: '{}'", path.text, now);
  }
  return out;
}

bool is_note_of_saturation(const std::string& note) { return note.starts_with("saturated"); }

bool is_saturated(const nlohmann::json& report) {
  const auto notes = report.find("notes");
  return notes != report.end() && std::any_of(notes->begin(), notes->end(), [](const nlohmann::json& note) {
           return note.is_string() && is_note_of_saturation(note.get<std::string>());
         });
}

}  // namespace weft
