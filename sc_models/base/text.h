#pragma once
// Small helpers on text: suggestions for misspelt words, decimal numbers, CSV.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// U+FEFF as UTF-8, with which some programs begin a text file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The candidate with the smallest edit distance to `word`, if it is near enough to be what was meant.
std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'x'?" or an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// `value` * 10^-decimals without needless zeros: (5, 1) is "0.5", (30, 1) is "3".
std::string decimal_text(std::uint64_t value, int decimals);

/// A field of a CSV line, quoted when it must be (RFC 4180).
std::string csv_field(const std::string& text);

}  // namespace weft
