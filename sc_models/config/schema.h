#pragma once
// Declare-once description of configuration sections.
//
// A section names each of its keys once: the field it fills, its type (with unit and range), its default and
// what it means. From that one declaration come the reader (which reports unknown keys, wrong types, missing
// units and values out of range, all of them), the default values, and everything `weft describe` prints. A
// default is written as YAML text and read like a value from the file, so what is described is what happens.
//
//   struct RawLink { Given<std::uint32_t> lanes; Given<Frequency> clock; };
//   Section<RawLink> link("link", "The links between switches.");
//   link.key("lanes", &RawLink::lanes, whole<std::uint32_t>(1, 64), by_default("4"), "Lanes per link.");

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "config/yaml_tree.h"

namespace weft {

/// A value and where it stands in what the user wrote.
template <class T>
struct Given {
  T value{};
  bool given = false;  ///< the user wrote it (right or wrong)
  bool valid = false;  ///< value holds what was written, or the default
  Location where;      ///< of the value; of its section when not given
  Location key_where;  ///< of its key; of its section when not given
};

struct SectionInfo;

/// How a type is described. `section` is set for sections, and for lists and maps of sections.
struct TypeInfo {
  std::string name;                  ///< "whole number", "frequency", "list of words"
  std::string units;                 ///< "Hz, kHz, MHz, GHz", or empty
  std::string range;                 ///< "1 to 64", or empty
  std::vector<std::string> choices;  ///< of a choice
  std::shared_ptr<const SectionInfo> section;
  std::string section_path;  ///< what follows the key in a path to a key of `section`: "", "[]" or ".<switches>"
};

struct KeyInfo {
  std::string name;
  TypeInfo type;
  bool required = false;
  std::optional<std::string> fallback;  ///< default, as YAML text
  std::string otherwise;                ///< what happens without the key, when there is no plain default
  std::string meaning;
};

struct SectionInfo {
  std::string name;
  std::string meaning;
  std::vector<KeyInfo> keys;
};

/// A type of value: how it is described and how it is read. `read` reports errors and then returns nothing;
/// `path` is the value's own path ("switch.clock", "phases.0.traffic").
template <class T>
struct Type {
  using value_type = T;
  TypeInfo info;
  std::function<std::optional<T>(const YamlNode& node, const std::string& path, Diagnostics& diagnostics)> read;
};

struct Fallback {
  bool required = false;
  std::optional<std::string> text;
  std::string otherwise;
};
inline Fallback required() { return {true, {}, {}}; }
inline Fallback by_default(std::string yaml) { return {false, std::move(yaml), {}}; }
/// No plain default; `otherwise` says in a few words what happens without the key.
inline Fallback optional(std::string otherwise) { return {false, {}, std::move(otherwise)}; }

/// Path of a key inside a section.
std::string join_path(const std::string& section, const std::string& key);

namespace schema_detail {
void report_unknown_keys(const YamlNode& node, const SectionInfo& info, const std::string& path,
                         Diagnostics& diagnostics);
void report_missing_key(const Location& where, const std::string& key, const std::string& path,
                        Diagnostics& diagnostics);
/// True if `node` is a map or empty; else reports.
bool check_is_section(const YamlNode& node, const std::string& path, Diagnostics& diagnostics);
YamlNode parse_default(const std::string& yaml, const Location& where);
}  // namespace schema_detail

template <class Raw>
class Section {
 public:
  Section(std::string name, std::string meaning) : info_(std::make_shared<SectionInfo>()) {
    info_->name = std::move(name);
    info_->meaning = std::move(meaning);
  }

  template <class T>
  Section& key(std::string name, Given<T> Raw::*field, Type<T> type, Fallback fallback, std::string meaning) {
    info_->keys.push_back({name, type.info, fallback.required, fallback.text, fallback.otherwise, std::move(meaning)});
    readers_.push_back([name = std::move(name), field, type = std::move(type), fallback = std::move(fallback)](
                           const YamlNode& section, const std::string& path, Raw& raw, Diagnostics& diagnostics) {
      Given<T>& out = raw.*field;
      const std::string own_path = join_path(path, name);
      out.where = out.key_where = section.where;
      std::optional<T> value;
      if (const YamlEntry* entry = section.find(name)) {
        out.given = true;
        out.where = entry->value.where;
        out.key_where = entry->key_where;
        value = type.read(entry->value, own_path, diagnostics);
      } else if (fallback.required) {
        schema_detail::report_missing_key(section.where, name, path, diagnostics);
      } else if (fallback.text) {
        value = type.read(schema_detail::parse_default(*fallback.text, section.where), own_path, diagnostics);
      }
      out.valid = value.has_value();
      if (value) out.value = std::move(*value);
    });
    return *this;
  }

  /// A nested section; without it all its keys have their defaults. Not to be used for one with required
  /// keys.
  template <class T>
  Section& section(std::string name, Given<T> Raw::*field, const Section<T>& nested) {
    return key(std::move(name), field, nested.type(), by_default("{}"), nested.info()->meaning);
  }

  Raw read(const YamlNode& node, const std::string& path, Diagnostics& diagnostics) const {
    Raw raw;
    schema_detail::report_unknown_keys(node, *info_, path, diagnostics);
    for (const auto& reader : readers_) reader(node, path, raw, diagnostics);
    return raw;
  }

  Type<Raw> type() const {
    TypeInfo info;
    info.name = "section";
    info.section = info_;
    return {std::move(info), [self = *this](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
              if (!schema_detail::check_is_section(node, path, diagnostics)) return std::optional<Raw>();
              return std::optional<Raw>(self.read(node, path, diagnostics));
            }};
  }

  std::shared_ptr<const SectionInfo> info() const { return info_; }

 private:
  using Reader = std::function<void(const YamlNode&, const std::string&, Raw&, Diagnostics&)>;
  std::shared_ptr<SectionInfo> info_;
  std::vector<Reader> readers_;
};

}  // namespace weft
