#include "observe/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/output_folder.h"
#include "base/text.h"
#include "base/version.h"
#include "observe/report_cut.h"

namespace weft {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Statistic& s) { return {{"key", s.key}, {"unit", s.unit}, {"definition", s.meaning}}; }

std::string number(double v) { return fmt::format("{}", v); }

// People read three decimals, of a number that would be 0 then three digits; machines get them all.
std::string for_people(const Value& value) {
  if (const auto* d = std::get_if<double>(&value)) {
    if (*d != 0 && std::abs(*d) < 0.0005) return fmt::format("{:.3g}", *d);
    std::string s = fmt::format("{:.3f}", *d);
    while (s.back() == '0') s.pop_back();
    if (s.back() == '.') s.pop_back();
    return s;
  }
  if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "yes" : "no";
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  return "-";
}

std::string csv_field(const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return "";
  if (const auto* d = std::get_if<double>(&value)) return number(*d);
  return weft::csv_field(for_people(value));
}

std::string heading(const Statistic& s) {
  return s.unit.empty() || s.unit == "1" ? s.key : fmt::format("{} ({})", s.key, s.unit);
}

// Rows of a table by the keys of its columns.
Json keyed_rows(const Table& table) {
  Json rows = Json::array();
  for (const std::vector<Value>& row : table.rows) {
    Json line = Json::object();
    for (std::size_t c = 0; c < row.size(); ++c) line[table.columns[c].key] = json_of(row[c]);
    rows.push_back(std::move(line));
  }
  return rows;
}

}  // namespace

Json json_of(const Value& value) {
  return std::visit(
      [](const auto& v) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) {
          return nullptr;
        } else {
          return v;
        }
      },
      value);
}

Json report_without_rows(const ReportData& data) {
  Json j;
  j["schema"] = kReportSchema;
  j["weft"] = kVersion;
  j["title"] = data.title;
  j["config"] = data.config_file;
  if (data.has_seed) j["seed"] = data.seed;
  j["complete"] = data.complete;
  if (!data.complete) j["incomplete_because"] = data.incomplete_why;
  j["implementation"] = data.implementation;
  if (data.configuration) j["configuration"] = *data.configuration;
  j["notes"] = data.notes;
  j["figures"] = Json::object();
  for (const ReportSection& s : data.sections) {
    Json figures = Json::object();
    for (const Figure& f : s.figures) {
      figures[f.statistic.key] = {
          {"value", json_of(f.value)}, {"unit", f.statistic.unit}, {"definition", f.statistic.meaning}};
    }
    j["figures"][s.key] = std::move(figures);
  }
  j["tables"] = Json::object();
  for (const Table& t : data.tables) {
    Json columns = Json::array();
    for (const Statistic& c : t.columns) columns.push_back(to_json(c));
    j["tables"][t.key] = {{"title", t.title}, {"meaning", t.meaning}, {"columns", std::move(columns)}};
  }
  if (data.profile) j["profile"] = *data.profile;
  return j;
}

std::string report_json(const ReportData& data) {
  Json j = report_without_rows(data);
  for (const Table& t : data.tables) j["tables"][t.key]["rows"] = keyed_rows(t);
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string table_csv(const Table& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    out += (c == 0 ? "" : ",") + weft::csv_field(heading(table.columns[c]));
  }
  out += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) out += ',';
      out += csv_field(row[c]);
    }
    out += "\n";
  }
  return out;
}

namespace {

// A table on a terminal: names above columns that are as wide as they must be, units below.
std::string summary_table(const Table& table) {
  constexpr std::size_t kMostRows = 16;
  std::vector<std::size_t> columns;
  for (const std::size_t c : table.summary_columns) {
    const auto has_value = [c](const auto& row) { return !std::holds_alternative<std::monostate>(row[c]); };
    if (std::any_of(table.rows.begin(), table.rows.end(), has_value)) columns.push_back(c);
  }
  if (columns.empty()) return {};
  std::vector<std::pair<std::string, std::string>> units;  // columns that share a unit stand together
  std::vector<std::vector<std::string>> lines(std::min(table.rows.size(), kMostRows) + 1);
  for (const std::size_t c : columns) {
    std::string name = table.columns[c].key;
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string& unit = table.columns[c].unit;
    if (!unit.empty() && unit != "1") {
      if (units.empty() || units.back().first != unit) {
        units.emplace_back(unit, name);
      } else {
        units.back().second += ", " + name;
      }
    }
    lines[0].push_back(std::move(name));
    for (std::size_t r = 0; r + 1 < lines.size(); ++r) {
      const Value& value = table.rows[r][c];
      const auto* const exact = c < table.given_columns ? std::get_if<double>(&value) : nullptr;
      lines[r + 1].push_back(exact != nullptr ? number(*exact) : printable(for_people(value)));
    }
  }
  std::string out = "\n";
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) {
      std::size_t width = 0;
      for (const auto& other : lines) width = std::max(width, other[c].size());
      out += c == 0 ? fmt::format("  {:<{}}", line[c], width) : fmt::format("  {:>{}}", line[c], width);
    }
    out += "\n";
  }
  if (table.rows.size() > kMostRows)
    out += fmt::format("  ... {} more in {}.csv\n", table.rows.size() - kMostRows, table.key);
  std::string legend;
  for (const auto& [unit, names] : units) legend += fmt::format("{}{} in {}", legend.empty() ? "" : "; ", names, unit);
  return legend.empty() ? out : fmt::format("{}  ({})\n", out, legend);
}

}  // namespace

std::string summary_text(const ReportData& data) {
  std::string out;
  if (!data.complete) out += fmt::format("PARTIAL: {}\n", printable_lines(data.incomplete_why));
  for (const ReportSection& s : data.sections) {
    for (const Figure& f : s.figures) {
      if (!f.in_summary) continue;
      std::string name = f.statistic.key;
      for (char& c : name) c = c == '_' ? ' ' : c;
      out += fmt::format("  {:<28} {}{}\n", name, printable(for_people(f.value)),
                         f.statistic.unit.empty() || f.statistic.unit == "1" ? "" : " " + f.statistic.unit);
    }
  }
  for (const Table& t : data.tables) out += summary_table(t);
  for (const std::string& n : data.notes) out += fmt::format("  note: {}\n", printable(n));
  return out;
}

std::vector<std::filesystem::path> write_report(const std::filesystem::path& folder, const ReportData& data,
                                                const std::vector<Artifact>& artifacts) {
  prepare_folder(folder);
  std::vector<std::filesystem::path> paths;
  const auto put = [&](const std::string& name, const std::string& content) {
    paths.push_back(folder / name);
    write_file(paths.back(), content);
  };
  for (const Table& t : data.tables) put(t.key + (data.complete ? ".csv" : ".partial.csv"), table_csv(t));
  for (const Artifact& a : artifacts) put(a.name, a.content);
  put("report.html", report_html(data));
  put("report.json", report_json(data));
  return paths;
}

}  // namespace weft
