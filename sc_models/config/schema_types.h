#pragma once
// The types configuration values can have. Each knows its name, unit and range for `weft describe`, and says
// in its errors what was expected and what was found.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "config/config.h"
#include "config/schema.h"

namespace weft {

/// An element of a list, and where it stands.
template <class T>
struct Placed {
  T value{};
  Location where;
  bool valid = true;  ///< false for a wrong element of a list of sections
};

/// An entry of a map whose keys are names chosen by the user.
template <class T>
struct Named {
  std::string name;
  Location where;  ///< of the key
  T value{};
};

/// Any text.
Type<std::string> text_type();
/// Text without white space, not empty.
Type<std::string> word_type();
/// A file name, taken from the folder of the file that says it.
Type<std::string> path_type();
/// true or false.
Type<bool> boolean_type();
Type<std::uint64_t> whole_number_type(std::uint64_t min, std::uint64_t max);
Type<Frequency> clock_type();  ///< a frequency whose period is whole picoseconds
Type<Duration> duration_type(Duration min, Duration max);
Type<DataSize> data_size_type(DataSize min, DataSize max);
Type<Rate> rate_type(Rate min, Rate max);
/// A decimal number without a unit and with at most `decimals` digits behind the point; the value and the limits are
/// multiples of 10^-decimals.
Type<std::uint64_t> decimal_type(int decimals, std::uint64_t min, std::uint64_t max);
/// The same with a sign, from -most to most.
Type<std::int64_t> signed_decimal_type(int decimals, std::uint64_t most);
/// A share such as 2.5%, in 10^-decimals of a percent.
Type<std::uint64_t> percentage_type(int decimals, std::uint64_t min, std::uint64_t max);
/// Cycles or a duration of at most `longest`, a second unless told otherwise.
Type<CycleSpan> cycle_span_type(Cycle min, Duration longest = Duration{1'000'000'000'000});
/// `sw[5]` or `sw[0..3]`.
Type<SwitchRange> switch_range_type();
/// One of the words; the result is its index.
Type<std::size_t> word_choice_type(std::vector<std::string> words);

/// Reads `sw[5]`, `sw[0..3]`; the location of the result is `where`. Reports an error and returns nothing if
/// it is none.
std::optional<SwitchRange> parse_switch_range(const std::string& text, const Location& where, const std::string& path,
                                              Diagnostics& diagnostics);

template <class T>
Type<T> whole(std::uint64_t min, std::uint64_t max) {
  auto inner = whole_number_type(min, max);
  return {inner.info, [read = inner.read](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            const auto value = read(node, path, diagnostics);
            return value ? std::optional<T>(static_cast<T>(*value)) : std::nullopt;
          }};
}

/// A choice among enumerators, each written as its to_string.
template <class E>
Type<E> choice(std::vector<E> values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const E v : values) words.push_back(to_string(v));
  auto inner = word_choice_type(std::move(words));
  return {inner.info,
          [values, read = inner.read](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            const auto index = read(node, path, diagnostics);
            return index ? std::optional<E>(values[*index]) : std::nullopt;
          }};
}

namespace schema_detail {
/// "1 to 8 entries", "at least 1 entry", "exactly 2 entries"
std::string count_range(std::size_t min, std::size_t max);
bool check_is_list(const YamlNode& node, const std::string& path, std::size_t min, std::size_t max,
                   const std::string& element, Diagnostics& diagnostics);
/// Type of a list or map of the given type.
TypeInfo container_info(const std::string& prefix, const TypeInfo& element, std::string range, std::string path);
}  // namespace schema_detail

inline constexpr std::size_t kAnyCount = std::numeric_limits<std::size_t>::max();

/// A list with `min` to `max` elements. All wrong elements are reported; a list of sections is kept in spite
/// of them, so that the other elements get their cross-checks too.
template <class T>
Type<std::vector<Placed<T>>> list_of(Type<T> element, std::size_t min, std::size_t max) {
  TypeInfo info = schema_detail::container_info("list of ", element.info, schema_detail::count_range(min, max), "[]");
  return {std::move(info), [element = std::move(element), min, max](const YamlNode& node, const std::string& path,
                                                                    Diagnostics& diagnostics) {
            using List = std::vector<Placed<T>>;
            if (!schema_detail::check_is_list(node, path, min, max, element.info.name, diagnostics)) {
              return std::optional<List>();
            }
            List list;
            bool all = true;
            for (const YamlEntry& e : node.entries) {
              auto value = element.read(e.value, join_path(path, std::to_string(list.size())), diagnostics);
              all = all && value.has_value();
              list.push_back({value ? std::move(*value) : T{}, e.value.where, value.has_value()});
            }
            return all || element.info.section ? std::optional<List>(std::move(list)) : std::nullopt;
          }};
}

/// A section whose keys are names; `placeholder` stands for the name in descriptions.
template <class T>
Type<std::vector<Named<T>>> map_of(const std::string& placeholder, Type<T> element) {
  TypeInfo info = schema_detail::container_info("names with a ", element.info, {}, "." + placeholder);
  return {std::move(info),
          [element = std::move(element)](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            using Map = std::vector<Named<T>>;
            if (!schema_detail::check_is_section(node, path, diagnostics)) return std::optional<Map>();
            Map map;
            bool all = true;
            for (const YamlEntry& e : node.entries) {
              auto value = element.read(e.value, join_path(path, e.key), diagnostics);
              all = all && value.has_value();
              map.push_back({e.key, e.key_where, value ? std::move(*value) : T{}});
            }
            return all ? std::optional<Map>(std::move(map)) : std::nullopt;
          }};
}

}  // namespace weft
