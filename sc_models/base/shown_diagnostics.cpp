#include "base/diagnostics.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace weft {
namespace {

constexpr std::size_t kLongestValue = 100;     // in quotes, in a message
constexpr std::size_t kLongestMessage = 1000;  // lists of names that may stand somewhere are long

bool in_word(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// End of the text in quotes that begins after `open`: a quote that is no apostrophe.
std::size_t closing_quote(std::string_view text, std::size_t open) {
  std::size_t at = text.find('\'', open + 1);
  while (at != std::string_view::npos && at + 1 < text.size() && in_word(text[at + 1])) at = text.find('\'', at + 1);
  return at;
}

bool opens_quote(std::string_view text, std::size_t at) {
  return text[at] == '\'' && (at == 0 || !in_word(text[at - 1]));
}

// The message in pieces: `value` gets what stands in quotes, `other` the characters outside.
template <class Value, class Other>
void each_piece(std::string_view message, Value&& value, Other&& other) {
  bool closed = true;  // there is a closing quote ahead
  for (std::size_t i = 0; i < message.size(); ++i) {
    const bool opens = closed && opens_quote(message, i);
    const std::size_t end = opens ? closing_quote(message, i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      closed = closed && !opens;
      other(message[i]);
    } else {
      value(message.substr(i + 1, end - i - 1));
      i = end;
    }
  }
}

// Messages of one kind differ in what stands in quotes, in numbers and in suggestions.
std::string kind_of(Severity severity, std::string_view message) {
  std::string out(1, severity == Severity::error ? 'e' : 'w');
  each_piece(
      message.substr(0, message.find("; did you mean '")), [&](std::string_view) { out += "''"; },
      [&](char c) {
        if (c < '0' || c > '9') out += c;
      });
  return out;
}

}  // namespace

std::string shown_message(std::string message) {
  if (message.size() <= kLongestValue) return message;
  std::string out;
  each_piece(
      message, [&](std::string_view value) { out += "'" + shortened(value, kLongestValue) + "'"; },
      [&](char c) { out += c; });
  return shortened(out, kLongestMessage);
}

std::vector<Diagnostic> shown_of(std::vector<Diagnostic> list) {
  struct Kind {
    std::size_t last = 0;  // place of the last one shown
    std::size_t shown = 0;
    std::size_t more = 0;
  };
  std::map<std::string, Kind> kinds;
  std::vector<Diagnostic> out;
  std::map<Severity, std::size_t> shown, rest;
  std::set<std::string> said;  // an instruction that is repeated is checked as often, and wrong in one place
  for (Diagnostic& d : list) {
    if (d.where.line > 0 && !said.insert(d.text()).second) continue;
    const std::string name = kind_of(d.severity, d.message);
    const auto known = kinds.find(name);
    if (known != kinds.end() && known->second.shown == kMostOfOneKind) {
      ++known->second.more;
    } else if (shown[d.severity] == kMostShown) {
      ++rest[d.severity];
    } else {
      Kind& kind = kinds[name];
      kind.last = out.size();
      ++kind.shown;
      ++shown[d.severity];
      out.push_back(std::move(d));
    }
  }
  for (const auto& [name, kind] : kinds) {
    if (kind.more > 0) out[kind.last].message += fmt::format(" (and {} more of this kind)", kind.more);
  }
  for (const auto& [severity, count] : rest) out.push_back({severity, {}, fmt::format("{} more are not shown", count)});
  return out;
}

}  // namespace weft
