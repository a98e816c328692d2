#pragma once
// Words of enumerations, as files and reports have them: declared once, beside the enumeration, in the order of its
// values 0, 1, 2, ...
//
//   enum class Implementation { model, rtl, lockstep };
//   template <>
//   inline constexpr auto kWords<Implementation> = words("model", "rtl", "lockstep");
//
// to_string() writes them, choice<Implementation>() (schema/schema_types.h) reads and describes them.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft {

template <class... Word>
constexpr std::array<std::string_view, sizeof...(Word)> words(const Word&... word) {
  return {word...};
}

/// No words: not an enumeration that files have.
template <class E>
inline constexpr auto kWords = words();

template <class E>
concept HasWords = std::is_enum_v<E> && !kWords<E>.empty();

/// The word of a value; empty for a number that is none of its values.
template <HasWords E>
constexpr std::string_view word_of(E value) {
  const auto number = static_cast<std::size_t>(value);
  return number < kWords<E>.size() ? kWords<E>[number] : std::string_view{};
}

template <HasWords E>
std::string to_string(E value) {
  return std::string(word_of(value));
}

}  // namespace weft
