// A comparison as JSON and as a page of its own.

#include <fmt/format.h>

#include "base/text.h"
#include "base/version.h"
#include "cli/compare/comparison.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kComparisonStyle =
    ":root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 "
    "1rem}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}"
    "table{border-collapse:collapse;font-size:.85rem;display:block;overflow-x:auto}"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid #8884;text-align:right;white-space:nowrap}"
    "th:first-child,td:first-child,td.t{text-align:left}.b{font-weight:bold}";

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json figure_json(const ComparedFigure& f) {
  Json out{{"unit", f.unit}, {"definition", f.definition}, {"values", f.values}};
  Json widths = Json::array();
  Json differences = Json::array();
  Json relatives = Json::array();
  Json beyond = Json::array();
  for (std::size_t r = 0; r < f.values.size(); ++r) {
    widths.push_back(optional_json(f.half_widths[r]));
    differences.push_back(r == 0 ? Json(nullptr) : optional_json(f.difference(r)));
    relatives.push_back(r == 0 ? Json(nullptr) : optional_json(f.relative(r)));
    const std::optional<bool> b = r == 0 ? std::nullopt : f.beyond(r);
    beyond.push_back(b ? Json(*b) : Json(nullptr));
  }
  out["half_widths"] = std::move(widths);
  out["differences"] = std::move(differences);
  out["relative"] = std::move(relatives);
  out["beyond_intervals"] = std::move(beyond);
  return out;
}

std::string cell(const char* tag, const std::string& text, const char* kind = "") {
  return fmt::format("<{0}{1}>{2}</{0}>", tag, kind, xml_text(text));
}

std::string heads(const std::vector<std::string>& names) {
  std::string out = "<table><tr>";
  for (const std::string& n : names) out += cell("th", n);
  return out + "</tr>\n";
}

std::string figures_table(const Comparison& c, bool main) {
  std::string out = heads(figure_headings(c));
  for (const ComparedFigure& f : c.figures) {
    if (f.is_main != main) continue;
    out += fmt::format("<tr><td title=\"{}\">{}</td>", xml_text(f.definition), xml_text(f.place));
    out += cell("td", f.unit == "1" ? "" : f.unit, " class=t") + cell("td", compared_value(f.values.front()));
    for (std::size_t r = 1; r < f.values.size(); ++r) {
      const char* kind = f.beyond(r).value_or(false) ? " class=b" : "";
      out += cell("td", compared_value(f.values[r])) + cell("td", compared_difference(f.difference(r)), kind) +
             cell("td", compared_percent(f.relative(r)), kind);
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

}  // namespace

Json comparison_json(const Comparison& c) {
  Json out{{"schema", "weft-compare/1"}, {"weft", kVersion}, {"reports", Json::array()}, {"notes", c.notes}};
  for (const ComparedReport& r : c.reports) {
    out["reports"].push_back({{"name", r.name}, {"path", r.path}, {"title", r.title}});
  }
  out["configuration"] = Json::object();
  for (const ConfigDifference& d : c.configuration) {
    Json values = Json::array();
    for (const auto& v : d.values) values.push_back(v ? Json(*v) : Json(nullptr));
    out["configuration"][d.key] = std::move(values);
  }
  out["figures"] = Json::object();
  for (const ComparedFigure& f : c.figures) out["figures"][f.place] = figure_json(f);
  if (!c.programs) return out;
  Json& programs = out["programs"] = {{"networks", c.programs->networks}, {"unit", "ns"}, {"times", Json::object()}};
  for (const ProgramTable::Row& row : c.programs->rows) {
    Json times = Json::array();
    for (const auto& t : row.times) times.push_back(optional_json(t));
    programs["times"][row.program] = std::move(times);
  }
  return out;
}

std::string comparison_html(const Comparison& c) {
  std::string out = fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
      "<title>Comparison of {0} reports</title><style>{1}</style>\n<h1>Comparison of {0} reports</h1>\n",
      c.reports.size(), kComparisonStyle);
  out += heads({"", "report", "title"});
  for (const ComparedReport& r : c.reports) {
    out += "<tr>" + cell("td", r.name) + cell("td", r.path, " class=t") + cell("td", r.title, " class=t") + "</tr>\n";
  }
  out += "</table>\n";
  for (const std::string& n : c.notes) out += cell("p", n) + "\n";
  if (c.programs) {
    std::vector<std::string> names{"program"};
    names.insert(names.end(), c.programs->networks.begin(), c.programs->networks.end());
    out += "<h2>Programs</h2><p>Time in us; in parentheses over that on the first network.</p>" + heads(names);
    for (const ProgramTable::Row& row : c.programs->rows) {
      out += "<tr>" + cell("td", row.program);
      for (std::size_t n = 0; n < c.programs->networks.size(); ++n) out += cell("td", program_cell(row, n));
      out += "</tr>\n";
    }
    out += "</table>\n";
  }
  out += "<h2>Configuration</h2><p>Keys whose values differ.</p>" + heads(key_headings(c));
  for (const ConfigDifference& d : c.configuration) {
    out += "<tr>" + cell("td", d.key);
    for (const auto& v : d.values) out += cell("td", v.value_or("-"));
    out += "</tr>\n";
  }
  out += "</table>\n<h2>Figures</h2><p>Bold: more than the confidence intervals of both reports explain.</p>";
  out += figures_table(c, true) + "<h2>Other tables</h2>" + figures_table(c, false);
  return out + "</html>\n";
}

}  // namespace weft::cli
