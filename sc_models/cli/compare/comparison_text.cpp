// A comparison as text: on a terminal, and in Markdown.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cli/compare/comparison.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::vector<std::string>>;

constexpr std::size_t kWidestCell = 48;
constexpr std::size_t kMostReports = 5;  // side by side on a terminal

std::string short_cell(const std::string& text) { return printable(shortened(text, kWidestCell)); }

// Columns as wide as they must be; numbers stand at the right.
std::string aligned(const Lines& lines) {
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t c = 0; c < line.size(); ++c) {
      std::size_t width = 0;
      for (const auto& other : lines) width = std::max(width, c < other.size() ? other[c].size() : 0);
      text += c == 0 ? fmt::format("  {:<{}}", line[c], width) : fmt::format("  {:>{}}", line[c], width);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

std::string unit_text(const ComparedFigure& f) { return f.unit == "1" ? "" : f.unit; }

Lines config_lines(const Comparison& c) {
  Lines out{key_headings(c)};
  for (const ConfigDifference& d : c.configuration) {
    out.push_back({short_cell(d.key)});
    for (const auto& v : d.values) out.back().push_back(v ? short_cell(*v) : "-");
  }
  return out;
}

Lines figure_lines(const Comparison& c) {
  Lines out{figure_headings(c)};
  for (const ComparedFigure& f : c.figures) {
    if (!f.is_main || f.same()) continue;
    out.push_back({printable(f.place), unit_text(f), short_cell(compared_value(f.values.front()))});
    for (std::size_t r = 1; r < f.values.size(); ++r) {
      out.back().push_back(short_cell(compared_value(f.values[r])));
      out.back().push_back(compared_difference(f.difference(r)) + (f.beyond(r).value_or(false) ? " *" : ""));
      out.back().push_back(compared_percent(f.relative(r)));
    }
  }
  return out;
}

Lines program_lines(const ProgramTable& programs) {
  Lines out{{"program"}};
  for (const std::string& n : programs.networks) out.front().push_back(printable(n));
  for (const ProgramTable::Row& row : programs.rows) {
    out.push_back({printable(row.program)});
    for (std::size_t n = 0; n < programs.networks.size(); ++n) out.back().push_back(program_cell(row, n));
  }
  return out;
}

// A cell of a Markdown table, which is a line.
std::string markdown_cell(const std::string& text) { return replaced(printable(text), "|", "\\|"); }

std::string markdown_table(const Lines& lines) {
  std::string out;
  for (const auto& line : lines) {
    for (const std::string& cell : line) out += "| " + markdown_cell(cell) + " ";
    out += "|\n";
    if (&line != &lines.front()) continue;
    out += "|---";
    for (std::size_t c = 1; c < line.size(); ++c) out += "|---:";
    out += "|\n";
  }
  return out;
}

std::size_t marked_of(const Comparison& c) {
  std::size_t out = 0;
  for (const ComparedFigure& f : c.figures) {
    for (std::size_t r = 1; r < f.values.size(); ++r) out += f.beyond(r).value_or(false) ? 1 : 0;
  }
  return out;
}

constexpr const char* kPrograms = "Time of programs in us; in parentheses over that on the first network";

}  // namespace

std::vector<std::string> key_headings(const Comparison& c) {
  std::vector<std::string> out{"key"};
  for (const ComparedReport& r : c.reports) out.push_back(r.name);
  return out;
}

std::vector<std::string> figure_headings(const Comparison& c) {
  std::vector<std::string> out{"figure", "unit"};
  for (const ComparedReport& r : c.reports) {
    out.push_back(r.name);
    if (&r != &c.reports.front()) out.insert(out.end(), {r.name + " - A", "%"});
  }
  return out;
}

std::string compared_value(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string compared_difference(const std::optional<double>& difference) {
  return difference ? fmt::format("{:+.6g}", *difference) : "";
}

std::string compared_percent(const std::optional<double>& relative) {
  return relative ? fmt::format("{:+.2f}%", 100 * *relative) : "";
}

std::string program_cell(const ProgramTable::Row& row, std::size_t network) {
  if (!row.times[network]) return "-";
  const std::string time = fmt::format("{:.1f}", *row.times[network] / 1e3);
  const std::optional<double>& first = row.times.front();
  if (network == 0 || !first || *first == 0) return time;
  return fmt::format("{} ({:.2f})", time, *row.times[network] / *first);
}

std::string comparison_text(const Comparison& c) {
  std::string out;
  for (const ComparedReport& r : c.reports) {
    out += fmt::format("{}  {}  {}\n", r.name, printable(r.path), printable(r.title));
  }
  for (const std::string& n : c.notes) out += fmt::format("note: {}\n", printable(n));
  if (c.programs) out += fmt::format("\n{}\n{}", kPrograms, aligned(program_lines(*c.programs)));
  if (c.reports.size() > kMostReports) {
    return out + fmt::format("\n{} keys and {} figures are compared: --json, or --out for a page and tables\n",
                             c.configuration.size(), c.figures.size());
  }
  out += "\nconfiguration\n";
  out += c.configuration.empty() ? "  no difference\n" : aligned(config_lines(c));
  const auto is_main = [](const ComparedFigure& f) { return f.is_main; };
  const auto is_same = [](const ComparedFigure& f) { return f.is_main && f.same(); };
  const auto main = std::count_if(c.figures.begin(), c.figures.end(), is_main);
  const auto same = std::count_if(c.figures.begin(), c.figures.end(), is_same);
  out += fmt::format("\nfigures: {} of {} are equal\n", same, main);
  if (same < main) out += aligned(figure_lines(c));
  if (marked_of(c) > 0) out += "  * more than the confidence intervals of both explain\n";
  const std::size_t rest = c.figures.size() - static_cast<std::size_t>(main);
  if (rest > 0) out += fmt::format("  {} cells of other tables: --json, or --out for a page\n", rest);
  return out;
}

std::string comparison_markdown(const Comparison& c) {
  std::string out = "| | report | title |\n|---|---|---|\n";
  for (const ComparedReport& r : c.reports) {
    out += fmt::format("| {} | {} | {} |\n", r.name, markdown_cell(r.path), markdown_cell(r.title));
  }
  if (c.programs) out += fmt::format("\n{}\n\n{}", kPrograms, markdown_table(program_lines(*c.programs)));
  out += "\nConfiguration\n\n" + markdown_table(config_lines(c));
  return out + "\nFigures\n\n" + markdown_table(figure_lines(c));
}

}  // namespace weft::cli
