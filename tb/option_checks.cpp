#include "option_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/diagnostics.h"
#include "base/text.h"
#include "option_nodes.h"

namespace weft::cli {
namespace {

template <class T>
std::optional<T> parse(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

template <class T>
OptionCheck between(const std::string& option, const char* kind, T min, T max) {
  return [=](const std::string& text) {
    const std::optional<T> value = parse<T>(text);
    if (value && *value >= min && *value <= max) return std::string();
    throw InputError(option_at(option, text), fmt::format("expected {} from {} to {}, got '{}'", kind, min, max, text));
  };
}

}  // namespace

OptionCheck whole_number(const std::string& option, std::int64_t min, std::int64_t max) {
  return between(option, "a whole number", min, max);
}

OptionCheck number(const std::string& option, double min, double max) { return between(option, "a number", min, max); }

OptionCheck one_of(const std::string& option, std::vector<std::string> words) {
  return [=](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    throw InputError(option_at(option, text), fmt::format("expected one of: {}; got '{}'{}", fmt::join(words, ", "),
                                                          text, did_you_mean(text, words)));
  };
}

}  // namespace weft::cli
