#include "schema/resolved.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/input_file.h"
#include "schema/entries.h"

namespace weft {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kDefault = "default";
constexpr std::string_view kSet = "--set";

// Adds the defaults of the keys of sections, each with a number.
class Defaults {
 public:
  void add(YamlNode& node, const SectionInfo& keys) {
    YamlNode out{YamlNode::Kind::map, node.where, {}, {}};
    for (const KeyInfo& key : keys.keys) {
      const bool is_section = key.type.section != nullptr && key.type.section_path.empty();
      const bool given = entry_of(node, key.name, is_section) != nullptr;
      if (!given && !key.fallback) continue;
      YamlEntry value;
      if (given) {
        value = std::move(*node.find(key.name));
      } else {
        value.key = key.name;
        value.key_where = {kDefault, ++number_, 0};
        value.value = parse_yaml(*key.fallback, kDefault);
        place_at(value.value, value.key_where);
      }
      if (key.type.section) add(value.value, *key.type.section, key.type.section_path);
      out.entries.push_back(std::move(value));
    }
    node = std::move(out);
  }

 private:
  // `path` leads from a value to its sections, as TypeInfo::section_path does.
  void add(YamlNode& node, const SectionInfo& keys, std::string_view path) {
    if (path.empty()) {
      if (node.kind == YamlNode::Kind::map || node.kind == YamlNode::Kind::null) add(node, keys);
      return;
    }
    const bool list = path.starts_with("[]");
    if (node.kind != (list ? YamlNode::Kind::sequence : YamlNode::Kind::map)) return;  // one of its other forms
    path.remove_prefix(list ? 2 : path.find('>') + 1);
    for (YamlEntry& e : node.entries) add(e.value, keys, path);
  }

  int number_ = 0;
};

bool remove_numbered(YamlNode& node, const std::set<int>& numbers) {
  const bool some = std::erase_if(node.entries, [&](const YamlEntry& e) {
                      return e.key_where.file == kDefault && numbers.contains(e.key_where.line);
                    }) > 0;
  bool below = false;
  for (YamlEntry& e : node.entries) below = remove_numbered(e.value, numbers) || below;
  return some || below;
}

Json scalar_json(const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && std::to_string(number) == text) return number;
  return text;
}

Json values_json(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return nullptr;
    case YamlNode::Kind::scalar:
      return scalar_json(node.text);
    case YamlNode::Kind::sequence: {
      Json out = Json::array();
      for (const YamlEntry& e : node.entries) out.push_back(values_json(e.value));
      return out;
    }
    case YamlNode::Kind::map:
      break;
  }
  Json out = Json::object();
  for (const YamlEntry& e : node.entries) out[e.key] = values_json(e.value);
  return out;
}

Json origins_json(const YamlNode& node) {
  if (node.entries.empty()) return origin_text(node.where);
  const bool list = node.kind == YamlNode::Kind::sequence;
  Json out = list ? Json::array() : Json::object();
  bool same = true;
  const Json* first = nullptr;
  for (const YamlEntry& e : node.entries) {
    Json origin = origins_json(e.value);
    if (list) {
      out.push_back(std::move(origin));
      first = &out.front();
      same = same && out.back().is_string() && out.back() == *first;
    } else {
      out[e.key] = std::move(origin);
      first = &out.begin().value();
      const Json& last = (--out.end()).value();
      same = same && last.is_string() && last == *first;
    }
  }
  // A section that is there, with defaults alone, may mean something else than none.
  const bool given = !list && node.where.file != kDefault && *first == kDefault;
  return same && !given ? Json(*first) : out;
}

// Reads the two trees back.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  YamlNode read(const Json& value, const Json& origin, const std::string& path) const {
    YamlNode out;
    const bool one = origin.is_string();
    if (one) out.where = location(origin.get<std::string>(), path, value);
    if (value.is_array()) {
      out.kind = YamlNode::Kind::sequence;
      if (!one && (!origin.is_array() || origin.size() != value.size())) fail(path);
      for (std::size_t i = 0; i < value.size(); ++i) {
        add(out, {}, value[i], one ? origin : origin[i], join_path(path, std::to_string(i)));
      }
    } else if (value.is_object()) {
      out.kind = YamlNode::Kind::map;
      for (const auto& [key, v] : value.items()) {
        if (!one && (!origin.is_object() || !origin.contains(key))) fail(join_path(path, key));
        add(out, key, v, one ? origin : origin[key], join_path(path, key));
      }
    } else {
      if (!one) fail(path);
      if (value.is_null()) return out;
      out.kind = YamlNode::Kind::scalar;
      out.text = value.is_string() ? value.get<std::string>() : value.dump();
    }
    if (!one) out.where = first_place(out);
    return out;
  }

  [[noreturn]] void fail(const std::string& path) const {
    throw InputError({file_}, fmt::format("configuration: expected values and their origins, '{}' has none", path));
  }

 private:
  void add(YamlNode& out, const std::string& key, const Json& value, const Json& origin,
           const std::string& path) const {
    // A list stays whole, so that its elements keep their numbers: without defaults it is as it was.
    if (out.kind == YamlNode::Kind::map && origin == kDefault) return;
    YamlNode node = read(value, origin, path);
    if (node.kind == YamlNode::Kind::map && !origin.is_string() && node.where.file == kDefault) node.where = {file_};
    const Location where = node.where;
    out.entries.push_back({key, where, std::move(node)});
  }

  static Location first_place(const YamlNode& node) {
    for (const YamlEntry& e : node.entries) {
      if (e.value.where.file != kDefault) return e.value.where;
    }
    return {kDefault};
  }

  static Location location(const std::string& origin, const std::string& path, const Json& value) {
    if (origin == kSet) {
      const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      return {fmt::format("{} {}={}", kSet, path, text)};
    }
    const std::size_t colon = origin.rfind(':');
    int line = 0;
    if (colon != std::string::npos) {
      const char* const end = origin.data() + origin.size();
      const auto [stop, error] = std::from_chars(origin.data() + colon + 1, end, line);
      if (error == std::errc() && stop == end && line > 0) return {origin.substr(0, colon), line};
    }
    return {origin};
  }

  const std::string& file_;
};

void add_folders(const YamlNode& node, const fs::path& folder, ConfigDocument& document) {
  const std::string& name = node.where.file;
  if (!name.empty() && !document.folders.contains(name)) {
    const bool is_set = name.starts_with(kSet);
    std::error_code ec;
    const bool is_device = fs::is_other(fs::status(name, ec));
    const fs::path own = is_set || is_device ? fs::path() : fs::path(name).parent_path();
    document.folders[name] = (folder / own).lexically_normal();
  }
  for (const YamlEntry& e : node.entries) add_folders(e.value, folder, document);
}

}  // namespace

YamlNode with_defaults(const YamlNode& root, const SectionInfo& keys) {
  YamlNode out = root;
  Defaults().add(out, keys);
  return out;
}

bool remove_defaults(YamlNode& resolved, const std::vector<Diagnostic>& diagnostics) {
  std::set<int> numbers;
  for (const Diagnostic& d : diagnostics) {
    if (d.where.file == kDefault) numbers.insert(d.where.line);
  }
  return !numbers.empty() && remove_numbered(resolved, numbers);
}

std::string origin_text(const Location& where) {
  if (where.file.starts_with(kSet)) return std::string(kSet);
  if (where.file == kDefault) return kDefault;
  return where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
}

Json resolved_json(const YamlNode& resolved) {
  return {{"values", values_json(resolved)}, {"origins", origins_json(resolved)}};
}

ConfigDocument document_of(const Json& resolved, const std::string& file, const fs::path& folder) {
  const Reader reader(file);
  if (!resolved.is_object() || !resolved.contains("values") || !resolved.contains("origins") ||
      !resolved["values"].is_object()) {
    reader.fail("configuration");
  }
  ConfigDocument out;
  out.root = reader.read(resolved["values"], resolved["origins"], "");
  add_folders(out.root, folder, out);
  return out;
}

}  // namespace weft
