#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace weft {
namespace {

constexpr std::size_t kLongestWord = 64;  // of a key, a name: longer ones are no misspelling of anything

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost 1.
std::size_t distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kLongestWord + 1>;
  Row before{}, last{}, row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

char32_t code_point(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  char32_t c = byte(0) & (0x7FU >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i) c = c << 6U | (byte(i) & 0x3FU);
  return c;
}

// Must not reach a terminal or an XML document as it is.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xFFFE || c == 0xFFFF;
}

std::string escaped(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
}

std::string without_controls(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] >= ' ' && text[i] <= '~') {  // most of any text
      out += text[i++];
      continue;
    }
    const std::size_t length = utf8_length(text.substr(i, 4));
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i++]));
      continue;
    }
    const std::string_view sequence = text.substr(i, length);
    const char32_t c = code_point(sequence);
    const bool keep = length == 1 && kept.find(text[i]) != std::string_view::npos;
    if (keep || !is_control(c)) {
      out += sequence;
    } else {
      out += escaped(c);
    }
    i += length;
  }
  return out;
}

// A decimal number as programs and spreadsheets read it, with a sign or not.
bool is_number(std::string_view text) {
  std::size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > begin;
  };
  if (!digits()) return false;
  if (i < text.size() && text[i] == '.' && (++i, !digits())) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (!digits()) return false;
  }
  return i == text.size();
}

bool is_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r\n").find(text[0]) == std::string_view::npos) return false;
  return text != "-" && text != "+" && !is_number(text);
}

}  // namespace

std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  if (word.size() > kLongestWord) return best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 2) + 1;
  for (const std::string& c : candidates) {
    const std::size_t least = std::max(word.size(), c.size()) - std::min(word.size(), c.size());
    if (c.size() > kLongestWord || least >= best_distance) continue;
    const std::size_t d = distance(word, c);
    if (d < best_distance && d < std::max(word.size(), c.size())) {
      best = c;
      best_distance = d;
    }
  }
  return best;
}

std::string decimal_text(std::uint64_t value, int decimals) {
  std::string digits = std::to_string(value);
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, 1, '.');
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

std::string csv_field(const std::string& text) {
  std::string cell = printable_lines(text);
  if (is_formula(cell)) cell.insert(0, 1, '\'');
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string printable(std::string_view text) { return without_controls(text, ""); }

std::string printable_lines(std::string_view text) { return without_controls(text, "\t\r\n"); }

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable_lines(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  // A cut character is left out as a whole. What was cut once is short enough not to be cut again.
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U; };
  std::size_t head = most / 2;
  for (int i = 0; i < 3 && head > 0 && continues(head); ++i) --head;
  std::size_t tail = text.size() - most / 5;
  for (int i = 0; i < 3 && tail < text.size() && continues(tail); ++i) ++tail;
  return fmt::format("{}... ({} bytes) ...{}", text.substr(0, head), text.size(), text.substr(tail));
}

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (text.empty()) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto best = closest(word, candidates);
  return best ? "; did you mean '" + *best + "'?" : std::string();
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t next = 0; (next = text.find(from, at)) != std::string_view::npos; at = next + from.size()) {
    out.append(text.substr(at, next - at)).append(to);
  }
  return out.append(text.substr(at));
}

}  // namespace weft
