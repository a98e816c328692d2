#include "cli/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/quantity.h"
#include "base/text.h"
#include "cli/report/repetition.h"
#include "cli/report/report_input.h"
#include "observe/vocabulary.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string report_name(std::size_t number) {
  constexpr std::size_t kLetters = 26;
  const std::string letter(1, static_cast<char>('A' + number % kLetters));
  return number < kLetters ? letter : fmt::format("{}{}", letter, number / kLetters);
}

// A setting as it is written and as it is compared.
struct Setting {
  std::string text;
  Json meaning;
};

using Settings = std::map<std::string, Setting>;

// A quantity in its base unit, whatever unit it is written in: 100Gb/s is 100Gbps. Lists element by element.
Json meaning_of(Json value) {
  if (value.is_array()) {
    for (Json& element : value) element = meaning_of(std::move(element));
  } else if (value.is_string()) {
    const auto quantity = parse_quantity(value.get_ref<const std::string&>());
    if (quantity) return Json::array({quantity->kind, quantity->amount});
  }
  return value;
}

void flatten(const Json& value, const std::string& path, Settings& out) {
  if (value.is_object() || (value.is_array() && !value.empty() && !value.front().is_primitive())) {
    std::size_t number = 0;
    for (const auto& [key, v] : value.items()) {
      const std::string name = value.is_array() ? std::to_string(number++) : key;
      flatten(v, path.empty() ? name : path + "." + name, out);
    }
    return;
  }
  out[path] = {value.is_string() ? value.get<std::string>() : value.dump(), meaning_of(value)};
}

// Options of the command that made a report, but for those among its values: the method of a table, a quick sweep.
void add_options(const std::vector<std::string>& words, Settings& out) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) continue;
    if (out.contains(replaced(words[i].substr(2), "-", "_"))) continue;
    const bool is_flag = i + 1 == words.size() || words[i + 1].starts_with("--");
    const std::string value = is_flag ? "true" : words[i + 1];
    out[words[i]] = {value, value};
  }
}

Settings settings_of(const ComparedReport& report) {
  Settings out;
  if (report.content.contains("configuration") && report.content["configuration"].contains("values")) {
    flatten(report.content["configuration"]["values"], "", out);
  }
  add_options(command_words(report.content, report.path), out);
  return out;
}

std::vector<ConfigDifference> config_differences(const std::vector<ComparedReport>& reports) {
  std::vector<Settings> settings;
  std::set<std::string> keys;
  for (const ComparedReport& r : reports) {
    settings.push_back(settings_of(r));
    for (const auto& [key, value] : settings.back()) keys.insert(key);
  }
  std::vector<ConfigDifference> out;
  for (const std::string& key : keys) {
    ConfigDifference d{key, {}};
    std::set<std::optional<Json>> meanings;
    for (const Settings& s : settings) {
      const auto found = s.find(key);
      const bool set = found != s.end();
      d.values.push_back(set ? std::optional(found->second.text) : std::nullopt);
      meanings.insert(set ? std::optional(found->second.meaning) : std::nullopt);
    }
    if (meanings.size() > 1) out.push_back(std::move(d));
  }
  return out;
}

constexpr const char* kInstructions = "instructions";
// Of programs that are short enough to be read on a terminal.
constexpr std::size_t kFewInstructions = 24;

// A table whose lines have names: those of the first column, or, where that repeats, of all columns of text.
// Instructions are those in the same place of a program, by whatever algorithm a network carries them.
class NamedRows {
 public:
  NamedRows(const std::string& of, const Json& table) {
    if (!table.contains("columns") || !table.contains("rows") || table["columns"].empty()) return;
    if (of == kInstructions) {
      name(table["rows"], {"program", "instruction", "name"});
      return;
    }
    const std::string first = table["columns"].front().value("key", "");
    std::vector<std::string> texts{first};
    for (const Json& column : table["columns"]) {
      const std::string key = column.value("key", "");
      const auto is_text = [&](const Json& row) { return row.contains(key) && row[key].is_string(); };
      const Json& rows = table["rows"];
      if (key != first && std::all_of(rows.begin(), rows.end(), is_text)) texts.push_back(key);
    }
    if (!name(table["rows"], {first})) name(table["rows"], texts);
  }
  const std::vector<std::pair<std::string, const Json*>>& rows() const { return rows_; }
  const Json* find(const std::string& row_name) const {
    const auto found = by_name_.find(row_name);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  bool name(const Json& rows, const std::vector<std::string>& columns) {
    rows_.clear();
    by_name_.clear();
    for (const Json& row : rows) {
      std::string text;
      for (const std::string& c : columns) {
        if (!row.contains(c)) return false;
        const std::string value = row[c].is_string() ? row[c].get<std::string>() : row[c].dump();
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", c, value);
      }
      if (!by_name_.emplace(text, &row).second) {
        rows_.clear();
        by_name_.clear();
        return false;
      }
      rows_.emplace_back(text, &row);
    }
    return true;
  }

  std::vector<std::pair<std::string, const Json*>> rows_;
  std::map<std::string, const Json*> by_name_;
};

// Half of the confidence interval of a cell: run reports have one of the mean latency, sweeps one of every mean.
std::optional<double> half_width(const Json& row, const std::string& column) {
  std::string key;
  if (column == "latency_mean") key = "half_width";
  if (column.ends_with("_mean")) {
    const std::string own = column.substr(0, column.size() - 4) + "ci95";
    if (row.contains(own)) key = own;
  }
  if (key.empty() || !row.contains(key) || !row[key].is_number()) return std::nullopt;
  return row[key].get<double>();
}

class Figures {
 public:
  explicit Figures(const std::vector<ComparedReport>& reports) : reports_(reports) {}

  std::vector<ComparedFigure> all() {
    const Json& first = reports_.front().content;
    const Json none = Json::object();
    const Json& sections = first.contains("figures") ? first["figures"] : none;
    for (const auto& [section, figures] : sections.items()) {
      for (const auto& [key, figure] : figures.items()) add_figure(section, key, figure);
    }
    const Json& tables = first.contains("tables") ? first["tables"] : none;
    for (const auto& [key, table] : tables.items()) add_table(key, table);
    return std::move(out_);
  }

 private:
  void add_figure(const std::string& section, const std::string& key, const Json& figure) {
    ComparedFigure out;
    out.place = fmt::format("sections.{}.{}", section, key);
    out.unit = figure.value("unit", "");
    out.definition = figure.value("definition", "");
    out.is_main = true;
    for (const ComparedReport& r : reports_) {
      const Json::json_pointer place("/figures/" + section + "/" + key + "/value");
      if (!r.content.contains(place)) return;
      if (r.content["figures"][section][key].value("unit", "") != out.unit) out.unlike_units = true;
      out.values.push_back(r.content[place]);
      out.half_widths.emplace_back();
    }
    out_.push_back(std::move(out));
  }

  void add_table(const std::string& key, const Json& table) {
    std::vector<NamedRows> rows;
    for (const ComparedReport& r : reports_) {
      if (!r.content.contains("tables") || !r.content["tables"].contains(key)) return;
      rows.emplace_back(key, r.content["tables"][key]);
    }
    const bool is_main = key == "services" || key == "summary";
    const bool few = key == kInstructions && rows.front().rows().size() <= kFewInstructions;
    for (const auto& [name, row] : rows.front().rows()) {
      for (const Json& column : table["columns"]) {
        const std::string c = column.value("key", "");
        if (!(*row)[c].is_number()) continue;
        ComparedFigure out;
        out.place = fmt::format("tables.{}[{}].{}", key, name, c);
        out.unit = column.value("unit", "");
        out.definition = column.value("definition", "");
        out.is_main = is_main || (few && c == "latency");
        for (const NamedRows& other : rows) {
          const Json* found = other.find(name);
          if (found == nullptr || !found->contains(c)) break;
          out.values.push_back((*found)[c]);
          out.half_widths.push_back(half_width(*found, c));
        }
        if (out.values.size() == rows.size()) out_.push_back(std::move(out));
      }
    }
  }

  const std::vector<ComparedReport>& reports_;
  std::vector<ComparedFigure> out_;
};

// Gb/s of a flit per cycle, of a run that has delivered something.
std::optional<double> rate_of_a_flit(const Json& report) {
  const auto figure = [&](const char* place) {
    const Json::json_pointer at(place);
    return report.contains(at) && report[at].is_number() ? report[at].get<double>() : 0.0;
  };
  const double flits = figure("/figures/run/accepted/value") * figure("/figures/network/nodes/value");
  return flits > 0 ? std::optional(figure("/figures/run/accepted_rate/value") / flits) : std::nullopt;
}

bool flits_are_alike(const std::vector<ComparedReport>& reports) {
  constexpr double kMostDifference = 0.001;  // rates of flits in parts of a bit per second are rounded
  std::optional<double> first;
  return std::all_of(reports.begin(), reports.end(), [&](const ComparedReport& r) {
    const std::optional<double> own = rate_of_a_flit(r.content);
    if (!first) first = own;
    return !own || std::abs(*own / *first - 1) < kMostDifference;
  });
}

// Place of a name in a list, added when it is new.
template <class Entry, class Name, class Make>
std::size_t place_in(std::vector<Entry>& list, const std::string& wanted, Name&& name, Make&& make) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Entry& e) { return name(e) == wanted; });
  const auto place = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(make(wanted));
  return place;
}

std::string network_name(const Json& report, const Json& values) {
  const Json::json_pointer topology("/figures/network/topology/value");
  const std::string fabric = values.value("fabric", "");
  return report.contains(topology) ? fmt::format("{} {}", fabric, report[topology].get<std::string>()) : fabric;
}

// Nothing unless all reports are of programs, and some program ran on several networks.
std::optional<ProgramTable> program_table(const std::vector<ComparedReport>& reports) {
  ProgramTable out;
  const Json::json_pointer time("/figures/run/time/value");
  for (const ComparedReport& r : reports) {
    const Json values = r.content.value("configuration", Json::object()).value("values", Json::object());
    const bool runs = values.contains("program_file") || values.contains("program") || values.contains("programs");
    if (!runs || !r.content.contains(time) || !r.content[time].is_number()) return std::nullopt;
    const std::string file = values.value("program_file", r.content.value("config", ""));
    const std::string program = std::filesystem::path(file).stem().string();
    const auto new_row = [](const std::string& name) { return ProgramTable::Row{name, {}}; };
    const auto same = [](const std::string& name) { return name; };
    const auto name_of_row = [](const ProgramTable::Row& p) { return p.program; };
    const std::size_t row = place_in(out.rows, program, name_of_row, new_row);
    const std::size_t column = place_in(out.networks, network_name(r.content, values), same, same);
    std::vector<std::optional<double>>& times = out.rows[row].times;
    times.resize(std::max(times.size(), column + 1));
    if (times[column]) return std::nullopt;  // the same program twice on a network: other keys differ
    times[column] = r.content[time].get<double>();
  }
  for (ProgramTable::Row& row : out.rows) row.times.resize(out.networks.size());
  return out.networks.size() > 1 ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

bool ComparedFigure::same() const {
  return !unlike_units &&
         std::all_of(values.begin(), values.end(), [this](const Json& v) { return v == values.front(); });
}

std::optional<double> ComparedFigure::difference(std::size_t report) const {
  if (unlike_units || !same_unit || !values.front().is_number() || !values[report].is_number()) return std::nullopt;
  return values[report].get<double>() - values.front().get<double>();
}

std::optional<double> ComparedFigure::relative(std::size_t report) const {
  const std::optional<double> d = difference(report);
  if (!d || values.front().get<double>() == 0) return std::nullopt;
  return *d / std::abs(values.front().get<double>());
}

std::optional<bool> ComparedFigure::beyond(std::size_t report) const {
  const std::optional<double> d = difference(report);
  if (!d || !half_widths.front() || !half_widths[report]) return std::nullopt;
  return std::abs(*d) > std::hypot(*half_widths.front(), *half_widths[report]);
}

Comparison compare_reports(const std::vector<std::string>& paths) {
  Comparison out;
  for (const std::string& path : paths) {
    Json content = load_report(path);
    const std::string title = content.value("title", "");
    out.reports.push_back({report_name(out.reports.size()), path, title.empty() ? content.value("config", "") : title,
                           std::move(content)});
    const Json& report = out.reports.back().content;
    if (!report.value("complete", true)) {
      out.notes.push_back(fmt::format("{} is partial: {}", path, report.value("incomplete_because", "")));
    }
    if (!report.contains("configuration")) out.notes.push_back(fmt::format("{} has no configuration", path));
  }
  out.configuration = config_differences(out.reports);
  out.figures = Figures(out.reports).all();
  for (const ComparedFigure& f : out.figures) {
    if (f.unlike_units) out.notes.push_back(fmt::format("{} does not have the same unit in all reports", f.place));
  }
  if (!flits_are_alike(out.reports)) {
    for (ComparedFigure& f : out.figures) f.same_unit = f.unit != vocabulary::kAccepted.unit;
    out.notes.push_back(
        fmt::format("a flit per cycle is not the same rate in all of these networks: compare Gb/s, not {}",
                    vocabulary::kAccepted.unit));
  }
  out.programs = program_table(out.reports);
  return out;
}

}  // namespace weft::cli
