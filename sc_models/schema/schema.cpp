#include "schema/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "schema/entries.h"

namespace weft {

std::string join_path(const std::string& section, const std::string& key) {
  return section.empty() ? key : section + "." + key;
}

TypeInfo::TypeInfo() = default;
TypeInfo::TypeInfo(const TypeInfo&) = default;
TypeInfo::TypeInfo(TypeInfo&&) noexcept = default;
TypeInfo& TypeInfo::operator=(const TypeInfo&) = default;
TypeInfo& TypeInfo::operator=(TypeInfo&&) noexcept = default;
TypeInfo::~TypeInfo() = default;

AnyType::AnyType(TypeInfo type_info, ReadInto reader) : info(std::move(type_info)), read_into(std::move(reader)) {}
AnyType::AnyType(const AnyType&) = default;
AnyType::AnyType(AnyType&&) noexcept = default;
AnyType& AnyType::operator=(const AnyType&) = default;
AnyType& AnyType::operator=(AnyType&&) noexcept = default;
AnyType::~AnyType() = default;

Fallback::Fallback(bool is_required, std::optional<std::string> yaml, std::string otherwise_text)
    : required(is_required), text(std::move(yaml)), otherwise(std::move(otherwise_text)) {}
Fallback::Fallback(const Fallback&) = default;
Fallback::Fallback(Fallback&&) noexcept = default;
Fallback& Fallback::operator=(const Fallback&) = default;
Fallback& Fallback::operator=(Fallback&&) noexcept = default;
Fallback::~Fallback() = default;

Fallback required() { return {true, {}, {}}; }
Fallback by_default(std::string_view yaml) { return {false, std::string(yaml), {}}; }
Fallback optional(std::string_view otherwise) { return {false, {}, std::string(otherwise)}; }

namespace schema_detail {
namespace {

std::string place_name(const std::string& path) {
  return path.empty() ? "at the top level" : fmt::format("in section '{}'", path);
}

YamlNode parse_default(const std::string& yaml, const Location& where) {
  YamlNode node = parse_yaml(yaml, where.file);
  node.where = where;
  return node;
}

bool is_section(const TypeInfo& type) { return type.section != nullptr && type.section_path.empty(); }

// Keys of a section, where they fit into a line.
std::string known_keys(const std::vector<std::string>& known) {
  constexpr std::size_t kMost = 16;
  return known.empty() || known.size() > kMost ? "" : fmt::format(" (keys: {})", fmt::join(known, ", "));
}

void report_unknown_keys(const YamlNode& node, const SectionInfo& info, const std::string& path,
                         Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const KeyInfo& key : info.keys) known.push_back(key.name);
  for (const YamlEntry& entry : node.entries) {
    const auto key = std::find(known.begin(), known.end(), entry.key);
    if (key != known.end()) {
      // What is taken away is not read any further, so its keys are looked at here.
      const TypeInfo& type = info.keys[static_cast<std::size_t>(key - known.begin())].type;
      if (type.section != nullptr && entry_of(node, entry.key, is_section(type)) == nullptr) {
        report_unknown_keys(entry.value, *type.section, join_path(path, entry.key), diagnostics);
      }
      continue;
    }
    std::string hint = did_you_mean(entry.key, known);
    if (hint.empty()) hint = known_keys(known);
    diagnostics.error(entry.key_where, fmt::format("unknown key '{}' {}{}", entry.key, place_name(path), hint));
  }
}

void report_missing_key(const Location& where, const std::string& key, const std::string& path,
                        Diagnostics& diagnostics) {
  diagnostics.error(where, fmt::format("required key '{}' is missing {}", key, place_name(path)));
}

}  // namespace

bool check_is_section(const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
  // A section whose keys are all commented out leaves nothing behind; it counts as empty.
  if (node.kind == YamlNode::Kind::map || node.kind == YamlNode::Kind::null) return true;
  diagnostics.error(node.where, fmt::format("{}: expected a section (keys and values), got {}", path, node.describe()));
  return false;
}

struct Keys::Key {
  Field field;
  AnyType type;
  std::string name;
  Fallback fallback;
};

Keys::Keys(std::string_view name, std::string_view meaning) : info_(std::make_shared<SectionInfo>()) {
  info_->name = name;
  info_->meaning = meaning;
}

Keys::Keys(const Keys&) = default;
Keys::Keys(Keys&&) noexcept = default;
Keys& Keys::operator=(const Keys&) = default;
Keys& Keys::operator=(Keys&&) noexcept = default;
Keys::~Keys() = default;

void Keys::add(std::string_view name, Field field, const AnyType& type, const Fallback& fallback,
               std::string_view meaning) {
  info_->keys.push_back(
      {std::string(name), type.info, fallback.required, fallback.text, fallback.otherwise, std::string(meaning)});
  keys_.push_back({field, type, std::string(name), fallback});
}

void Keys::read_into(const YamlNode& node, const std::string& path, Diagnostics& diagnostics, void* raw) const {
  report_unknown_keys(node, *info_, path, diagnostics);
  for (const Key& key : keys_) {
    const Field::Place out = key.field.locate(raw, key.field.member);
    const std::string own_path = join_path(path, key.name);
    out.state->where = out.state->key_where = node.where;
    if (const YamlEntry* entry = entry_of(node, key.name, is_section(key.type.info))) {
      out.state->given = true;
      out.state->where = entry->value.where;
      out.state->key_where = entry->key_where;
      out.state->valid = key.type.read_into(entry->value, own_path, diagnostics, out.value);
    } else if (key.fallback.required) {
      report_missing_key(node.where, key.name, path, diagnostics);
    } else if (key.fallback.text) {
      out.state->valid =
          key.type.read_into(parse_default(*key.fallback.text, node.where), own_path, diagnostics, out.value);
    }
  }
}

AnyType Keys::type() const {
  TypeInfo info;
  info.name = "section";
  info.section = info_;
  info.form = section_form(info_);
  return {std::move(info),
          [self = *this](const YamlNode& node, const std::string& path, Diagnostics& diagnostics, void* out) {
            if (!check_is_section(node, path, diagnostics)) return false;
            self.read_into(node, path, diagnostics, out);
            return true;
          }};
}

}  // namespace schema_detail
}  // namespace weft
