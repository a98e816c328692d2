#pragma once
// The types configuration values can have. Each knows its name, unit and range for `weft describe`, and says
// in its errors what was expected and what was found.

#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "base/words.h"
#include "schema/schema.h"

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

/// Text of a scalar; reports anything else as not being `expected`.
std::optional<std::string> read_scalar(const YamlNode& node, const std::string& path, const std::string& expected,
                                       Diagnostics& diagnostics);

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
/// Limits of durations; sums of a few of the longest stay far from overflow.
inline constexpr Duration kNoTime{0};
inline constexpr Duration kShortestTime{1};
inline constexpr Duration kLongestTime{1'000'000'000'000'000};  ///< 1000 s

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
/// A decimal number with a sign and this unit, such as -9.7dBm, in 10^-decimals; the limits too.
Type<std::int64_t> unit_decimal_type(const std::string& unit, int decimals, std::int64_t min, std::int64_t max);
/// Cycles or a duration of at most `longest`, a second unless told otherwise.
Type<CycleSpan> cycle_span_type(Cycle min, Duration longest = Duration{1'000'000'000'000});
/// One of the words; the result is its index.
Type<std::size_t> word_choice_type(std::vector<std::string> words);

namespace schema_detail {

/// Writes a number as a value of type T.
template <class T>
void store(void* out, std::uint64_t number) {
  *static_cast<T*>(out) = static_cast<T>(number);
}
using Store = void (*)(void* out, std::uint64_t number);

AnyType stored_number_type(std::uint64_t min, std::uint64_t max, Store store);
/// One of the words, stored as the number in the same place.
AnyType stored_choice_type(std::vector<std::string> words, std::vector<std::uint64_t> numbers, Store store);

/// A std::vector of elements with a value and a place, type-erased.
struct List {
  void* (*add)(void* list, const YamlEntry& entry);  ///< a new element without a value; returns where that goes
  void (*invalidate)(void* list);                    ///< the last element has no value
  void (*clear)(void* list);
};
/// "1 to 8 entries", "at least 1 entry", "exactly 2 entries"
std::string count_range(std::size_t min, std::size_t max);
AnyType list_type(const AnyType& element, std::size_t min, std::size_t max, const List& list);
AnyType map_type(const std::string& placeholder, const AnyType& element, const List& map);

}  // namespace schema_detail

template <class T>
Type<T> whole(std::uint64_t min, std::uint64_t max) {
  return Type<T>(schema_detail::stored_number_type(min, max, schema_detail::store<T>));
}

/// A choice among all values of an enumeration, each written as its word.
template <class E>
Type<E> choice() {
  std::vector<std::string> words(kWords<E>.begin(), kWords<E>.end());
  std::vector<std::uint64_t> numbers(words.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return Type<E>(schema_detail::stored_choice_type(std::move(words), std::move(numbers), schema_detail::store<E>));
}

/// A choice among some of them.
template <class E>
Type<E> choice(const std::vector<E>& values) {
  std::vector<std::string> words;
  std::vector<std::uint64_t> numbers;
  for (const E v : values) {
    words.push_back(to_string(v));
    numbers.push_back(static_cast<std::uint64_t>(v));
  }
  return Type<E>(schema_detail::stored_choice_type(std::move(words), std::move(numbers), schema_detail::store<E>));
}

/// A choice among records, each written as its name.
template <class Record>
Type<const Record*> choice_of(const std::vector<const Record*>& records) {
  std::vector<std::string> words;
  for (const Record* r : records) words.emplace_back(r->name);
  Type<std::size_t> word = word_choice_type(std::move(words));
  TypeInfo info = word.info;
  return {std::move(info),
          [word = std::move(word), records](const YamlNode& node, const std::string& path,
                                            Diagnostics& diagnostics) -> std::optional<const Record*> {
            const std::optional<std::size_t> number = word.read(node, path, diagnostics);
            if (!number) return std::nullopt;
            return records[*number];
          }};
}

/// A list with `min` to `max` elements. All wrong elements are reported; a list of sections is kept in spite
/// of them, so that the other elements get their cross-checks too.
template <class T>
Type<std::vector<Placed<T>>> list_of(const Type<T>& element, std::size_t min, std::size_t max) {
  using List = std::vector<Placed<T>>;
  return Type<List>(schema_detail::list_type(element, min, max,
                                             {[](void* list, const YamlEntry& entry) -> void* {
                                                auto& elements = *static_cast<List*>(list);
                                                elements.push_back({T{}, entry.value.where, true});
                                                return &elements.back().value;
                                              },
                                              [](void* list) { static_cast<List*>(list)->back().valid = false; },
                                              [](void* list) { static_cast<List*>(list)->clear(); }}));
}

/// A section whose keys are names; `placeholder` stands for the name in descriptions.
template <class T>
Type<std::vector<Named<T>>> map_of(const std::string& placeholder, const Type<T>& element) {
  using Map = std::vector<Named<T>>;
  return Type<Map>(schema_detail::map_type(placeholder, element,
                                           {[](void* map, const YamlEntry& entry) -> void* {
                                              auto& elements = *static_cast<Map*>(map);
                                              elements.push_back({entry.key, entry.key_where, T{}});
                                              return &elements.back().value;
                                            },
                                            [](void*) {}, [](void* map) { static_cast<Map*>(map)->clear(); }}));
}

/// The key `base` of a document: one file name or a list of them.
Type<std::vector<Placed<std::string>>> bases_type();

}  // namespace weft
