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

/// A field of a CSV line, quoted when it must be (RFC 4180). Text that a spreadsheet would take for a formula, because
/// it begins with = + - @ or a tab, gets an apostrophe in front, which spreadsheets read as "this is text"; numbers and
/// a lone sign stay as they are. Control characters other than tab and line ends are escaped.
std::string csv_field(const std::string& text);

/// `text` on one line of a terminal, or in a document: control characters, line separators, marks that reverse the
/// direction of text and code points that XML does not allow are escaped as in JSON (`\n`, `\u001b`), bytes that are no
/// UTF-8 as `\xff`.
std::string printable(std::string_view text);
/// The same, but tabs and line ends stay.
std::string printable_lines(std::string_view text);

/// `text` as it stands in HTML and in XML 1.0, in elements and in attributes; control characters but tabs and line ends
/// are escaped as by printable().
std::string xml_text(std::string_view text);

/// `text` with `to` in each place of `from`, which is not empty.
std::string replaced(std::string_view text, std::string_view from, std::string_view to);

/// `text`, or of one of more than `most` bytes its beginning, how long it is, and its end.
std::string shortened(std::string_view text, std::size_t most);

/// Length of the valid UTF-8 sequence at the beginning of `text`, 0 if there is none (RFC 3629: no overlong forms, no
/// surrogates).
std::size_t utf8_length(std::string_view text);

}  // namespace weft
