#include "cli/report/report_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/input_file.h"
#include "cli/report/run_record.h"
#include "observe/report.h"
#include "schema/resolved.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool is_folder(const fs::path& path) {
  std::error_code ec;
  return fs::is_directory(path, ec);
}

// Line and column, counted from 1, of a byte of the text.
Location place_of(const std::string& text, std::size_t byte, const std::string& file) {
  Location out{file, 1, 1};
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    out.line += text[i] == '\n' ? 1 : 0;
    out.column = text[i] == '\n' ? 1 : out.column + 1;
  }
  return out;
}

// The first byte, from 1, of a number that is not part of a text.
std::size_t number_at(const std::string& text, const std::string& number) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      quoted = !quoted;
    } else if (quoted) {
      i += text[i] == '\\' ? 1 : 0;
    } else if (text.compare(i, number.size(), number) == 0) {
      return i + 1;
    }
  }
  return 1;
}

std::string schema_of(const Json& report) {
  if (!report.is_object() || !report.contains("schema") || !report["schema"].is_string()) return "";
  return report["schema"].get<std::string>();
}

// The working directory of the run that the report is of; where the report does not say, this process's.
fs::path working_folder(const fs::path& report) {
  const fs::path record = report.parent_path() / kRunRecord;
  std::error_code ec;
  if (!fs::is_regular_file(record, ec)) return {};
  const Json json = Json::parse(read_file(record), nullptr, false);
  if (!json.is_object() || !json.contains("working_folder") || !json["working_folder"].is_string()) return {};
  const std::string folder = json["working_folder"].get<std::string>();
  return folder.empty() ? fs::path() : (report.parent_path() / folder).lexically_normal();
}

bool holds_objects(const Json& of) {
  return of.is_structured() && std::all_of(of.begin(), of.end(), [](const Json& v) { return v.is_object(); });
}

// Whether these keys of all objects are texts, where they are there.
bool holds_texts(const Json& of, std::initializer_list<const char*> keys) {
  return std::all_of(of.begin(), of.end(), [&](const Json& object) {
    return std::all_of(keys.begin(), keys.end(),
                       [&](const char* key) { return !object.contains(key) || object[key].is_string(); });
  });
}

// The report, if it is one: what it consists of is looked at here, not where it is used.
Json checked(Json report, const std::string& file) {
  const std::string schema = schema_of(report);
  if (schema != kReportSchema) {
    throw InputError({file}, schema.empty()
                                 ? fmt::format("is no report: expected the key schema with '{}'", kReportSchema)
                                 : fmt::format("schema: expected '{}', got '{}'", kReportSchema, schema));
  }
  using Type = Json::value_t;
  const std::pair<const char*, Type> types[] = {{"title", Type::string},         {"config", Type::string},
                                                {"complete", Type::boolean},     {"figures", Type::object},
                                                {"configuration", Type::object}, {"incomplete_because", Type::string},
                                                {"tables", Type::object}};
  for (const auto& [key, type] : types) {
    if (!report.contains(key) || report[key].type() == type) continue;
    throw InputError({file}, fmt::format("{}: expected a value of type {}, got {}", key, Json(type).type_name(),
                                         report[key].type_name()));
  }
  const auto check = [&](const char* key, const auto& fits) {
    if (!report.contains(key)) return;
    for (const auto& [name, value] : report[key].items()) {
      if (!fits(value)) throw InputError({file}, fmt::format("{}.{}: is not what a report has there", key, name));
    }
  };
  check("figures", [](const Json& section) {
    return section.is_object() && holds_objects(section) && holds_texts(section, {"unit", "definition"});
  });
  check("tables", [](const Json& table) {
    return table.is_object() && holds_objects(table.value("columns", Json::array())) &&
           holds_texts(table.value("columns", Json::array()), {"key", "unit", "definition"}) &&
           holds_objects(table.value("rows", Json::array()));
  });
  return report;
}

}  // namespace

std::string report_path(const std::string& path) {
  if (!is_folder(path)) return path;
  const fs::path report = fs::path(path) / "report.json";
  std::error_code ec;
  if (fs::exists(report, ec)) return report.lexically_normal().string();
  throw InputError({path}, "is a folder, not a file, and holds no report.json");
}

Json load_report(const std::string& path) {
  const std::string file = report_path(path);
  const std::string text = read_file(file);
  try {
    return checked(Json::parse(text), file);
  } catch (const Json::parse_error& e) {
    const std::string what = e.what();  // "[json.exception.parse_error.101] parse error at line 1, column 5: ..."
    const std::size_t colon = what.find(": ");
    throw InputError(place_of(text, e.byte, file),
                     "expected a report (JSON): " + (colon == std::string::npos ? what : what.substr(colon + 2)));
  } catch (const Json::out_of_range& e) {  // "[json.exception.out_of_range.406] number overflow parsing '1e400'"
    const std::string what = e.what();
    const std::size_t begin = std::min(what.find('\'') + 1, what.size());
    const std::string number = what.substr(begin, what.rfind('\'') - begin);
    constexpr std::size_t kMostShown = 40;
    throw InputError(place_of(text, number_at(text, number), file),
                     "expected a report (JSON): " + number.substr(0, kMostShown) +
                         (number.size() > kMostShown ? "..." : "") + " is too large for a number");
  }
}

std::shared_ptr<const Json> configuration_of(const ConfigDocument& document, const Overrides& overrides,
                                             const SectionInfo& keys, const std::vector<std::string>& command) {
  YamlNode read = document.root;
  for (const std::string& o : overrides) apply_override(read, o);
  auto out = std::make_shared<Json>(resolved_json(with_defaults(read, keys)));
  (*out)["command"] = command;
  return out;
}

std::optional<Json> report_at(const std::string& path) {
  if (!is_folder(path) && fs::path(path).extension() != ".json") return std::nullopt;
  if (is_folder(path)) return load_report(path);
  Json report = Json::parse(read_file(path), nullptr, false);
  if (!schema_of(report).starts_with("weft-report/")) return std::nullopt;  // YAML may be written as JSON
  return checked(std::move(report), path);
}

fs::path working_folder_of(const std::string& path) { return working_folder(report_path(path)); }

ConfigInput load_study(const std::string& path, const DocumentKind& kind) {
  const std::optional<Json> report = report_at(path);
  if (!report) return {load_document(path, kind), path};
  const std::string file = report_path(path);
  if (!report->contains("configuration")) {
    throw InputError({file}, "has no key configuration; only reports of 'weft run' can be run again");
  }
  const Json& configuration = report->at("configuration");
  const fs::path working = working_folder(file);
  ConfigInput out{document_of(configuration, file, working), report->value("config", file), true, working};
  const fs::path own = (working / fs::path(out.file).parent_path()).lexically_normal();
  out.document.folders.try_emplace(out.file, own);
  return out;
}

ConfigInput load_config(const std::string& path) {
  ConfigInput out = load_study(path);
  if (out.is_report && out.document.root.find("fabric") == nullptr && out.document.root.find("sweep") == nullptr) {
    throw InputError({report_path(path)}, "is the report of a study; 'weft run' makes it again");
  }
  return out;
}

}  // namespace weft::cli
