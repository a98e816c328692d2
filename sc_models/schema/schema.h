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

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "schema/value_form.h"
#include "schema/yaml_tree.h"

namespace weft {

/// State of a key, whatever the type of its value.
struct KeyState {
  bool given = false;  ///< the user wrote it (right or wrong)
  bool valid = false;  ///< value holds what was written, or the default
  Location where;      ///< of the value; of its section when not given
  Location key_where;  ///< of its key; of its section when not given
};

/// A value and where it stands in what the user wrote.
template <class T>
struct Given : KeyState {
  T value{};
};

/// Description of a type. `section` is set for sections, and for lists and maps of sections.
struct TypeInfo {
  std::string name;                  ///< "whole number", "frequency", "list of words"
  std::string units;                 ///< "Hz, kHz, MHz, GHz", or empty
  std::string range;                 ///< "1 to 64", or empty
  std::vector<std::string> choices;  ///< of a choice
  std::shared_ptr<const SectionInfo> section;
  std::string section_path;  ///< what follows the key in a path to a key of `section`: "", "[]" or ".<switches>"
  SharedForm form;           ///< as YAML writes it; null: any text

  // Not inline, as with the types below: a schema makes hundreds of them, and the compiler a copy of each step.
  TypeInfo();
  TypeInfo(const TypeInfo&);
  TypeInfo(TypeInfo&&) noexcept;
  TypeInfo& operator=(const TypeInfo&);
  TypeInfo& operator=(TypeInfo&&) noexcept;
  ~TypeInfo();
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

/// A type of value, whatever it is in C++.
struct AnyType {
  /// Reads a value into what `out` points to, which holds no value yet. Reports errors and then returns false; `path`
  /// is the value's own path ("switch.clock", "phases.0.sources").
  using ReadInto =
      std::function<bool(const YamlNode& node, const std::string& path, Diagnostics& diagnostics, void* out)>;

  TypeInfo info;
  ReadInto read_into;

  AnyType(TypeInfo type_info, ReadInto reader);
  AnyType(const AnyType&);
  AnyType(AnyType&&) noexcept;
  AnyType& operator=(const AnyType&);
  AnyType& operator=(AnyType&&) noexcept;
  ~AnyType();
};

/// A type of value: how it is described and how it is read.
template <class T>
struct Type : AnyType {
  using value_type = T;

  /// `reader` returns the value, or reports errors and returns nothing.
  template <class Reader>
  Type(TypeInfo type_info, Reader reader)
      : AnyType(std::move(type_info), [reader = std::move(reader)](const YamlNode& node, const std::string& path,
                                                                   Diagnostics& diagnostics, void* out) {
          std::optional<T> value = reader(node, path, diagnostics);
          if (value) *static_cast<T*>(out) = std::move(*value);
          return value.has_value();
        }) {}
  /// `any` reads values of type T.
  explicit Type(AnyType any) : AnyType(std::move(any)) {}

  std::optional<T> read(const YamlNode& node, const std::string& path, Diagnostics& diagnostics) const {
    std::optional<T> value(std::in_place);
    if (!read_into(node, path, diagnostics, &*value)) value.reset();
    return value;
  }
};

struct Fallback {
  bool required = false;
  std::optional<std::string> text;
  std::string otherwise;

  Fallback(bool is_required, std::optional<std::string> yaml, std::string otherwise_text);
  Fallback(const Fallback&);
  Fallback(Fallback&&) noexcept;
  Fallback& operator=(const Fallback&);
  Fallback& operator=(Fallback&&) noexcept;
  ~Fallback();
};
Fallback required();
Fallback by_default(std::string_view yaml);
/// No plain default; `otherwise` says in a few words what happens without the key.
Fallback optional(std::string_view otherwise);

/// Path of a key inside a section.
std::string join_path(const std::string& section, const std::string& key);

namespace schema_detail {

/// True if `node` is a map or empty; else reports.
bool check_is_section(const YamlNode& node, const std::string& path, Diagnostics& diagnostics);

/// Field of a struct, type-erased: where the key's state and value are in the struct at `raw`.
struct Field {
  struct Place {
    KeyState* state;
    void* value;
  };
  using Locate = Place (*)(void* raw, std::uintptr_t member);
  std::uintptr_t member;
  Locate locate;
};

template <class Raw, class T>
Field field_of(Given<T> Raw::*member) {
  static_assert(sizeof(member) == sizeof(std::uintptr_t));
  return {std::bit_cast<std::uintptr_t>(member), [](void* raw, std::uintptr_t bits) {
            Given<T>& given = static_cast<Raw*>(raw)->*std::bit_cast<Given<T> Raw::*>(bits);
            return Field::Place{&given, &given.value};
          }};
}

/// Keys of a section, whatever struct they fill.
class Keys {
 public:
  Keys(std::string_view name, std::string_view meaning);
  Keys(const Keys&);
  Keys(Keys&&) noexcept;
  Keys& operator=(const Keys&);
  Keys& operator=(Keys&&) noexcept;
  ~Keys();

  void add(std::string_view name, Field field, const AnyType& type, const Fallback& fallback, std::string_view meaning);
  /// Fills the struct at `raw`, which has its initial values.
  void read_into(const YamlNode& node, const std::string& path, Diagnostics& diagnostics, void* raw) const;
  AnyType type() const;
  const std::shared_ptr<SectionInfo>& info() const { return info_; }

 private:
  struct Key;
  std::shared_ptr<SectionInfo> info_;
  std::vector<Key> keys_;
};

}  // namespace schema_detail

template <class Raw>
class Section {
 public:
  Section(std::string_view name, std::string_view meaning) : keys_(name, meaning) {}

  template <class T>
  Section& key(std::string_view name, Given<T> Raw::*field, const Type<T>& type, const Fallback& fallback,
               std::string_view meaning) {
    keys_.add(name, schema_detail::field_of(field), type, fallback, meaning);
    return *this;
  }

  /// A key whose field `kPlace(raw, number)` gives, in sections whose keys are known only when the program runs.
  template <auto kPlace, class T>
  Section& numbered_key(std::string_view name, std::size_t number, const Type<T>& type, const Fallback& fallback,
                        std::string_view meaning) {
    const schema_detail::Field field{number, [](void* raw, std::uintptr_t n) {
                                       Given<T>& given = kPlace(*static_cast<Raw*>(raw), n);
                                       return schema_detail::Field::Place{&given, &given.value};
                                     }};
    keys_.add(name, field, type, fallback, meaning);
    return *this;
  }

  /// A nested section; without it all its keys have their defaults. Not to be used for one with required
  /// keys.
  template <class T>
  Section& section(std::string_view name, Given<T> Raw::*field, const Section<T>& nested) {
    return key(name, field, nested.type(), by_default("{}"), nested.info()->meaning);
  }

  Raw read(const YamlNode& node, const std::string& path, Diagnostics& diagnostics) const {
    Raw raw;
    keys_.read_into(node, path, diagnostics, &raw);
    return raw;
  }

  Type<Raw> type() const { return Type<Raw>(keys_.type()); }

  std::shared_ptr<const SectionInfo> info() const { return keys_.info(); }

 private:
  schema_detail::Keys keys_;
};

}  // namespace weft
