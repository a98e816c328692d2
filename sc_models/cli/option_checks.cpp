#include "cli/option_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/resource_need.h"
#include "base/text.h"
#include "base/units.h"

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

void set_limit(const char* option, const char* variable, const std::string& text, void (*set)(std::uint64_t)) {
  if (text.empty()) return;
  const Parsed<DataSize> size = parse_data_size(text);
  if (!size.value) throw InputError(option_at(option, text), size.error);
  if (size.value->bits < 8) throw InputError(option_at(option, text), "expected a size of at least 1B");
  set(static_cast<std::uint64_t>(size.value->bits) / 8);
  ::setenv(variable, text.c_str(), 1);
}

}  // namespace

OptionCheck whole_number(const std::string& option, std::int64_t min, std::int64_t max) {
  return between(option, "a whole number", min, max);
}

OptionCheck number(const std::string& option, double min, double max) { return between(option, "a number", min, max); }

void set_limits(const std::string& max_input, const std::string& max_memory) {
  set_limit("--max-input", kMaxInputVariable, max_input, set_largest_input);
  set_limit("--max-memory", kMaxMemoryVariable, max_memory, set_usable_memory);
}

OptionCheck one_of(const std::string& option, std::vector<std::string> words) {
  return one_of(option, [words] { return words; });
}

OptionCheck one_of(const std::string& option, std::function<std::vector<std::string>()> words_of) {
  return [=](const std::string& text) {
    const std::vector<std::string> words = words_of();
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    throw InputError(option_at(option, text), fmt::format("expected one of: {}; got '{}'{}", fmt::join(words, ", "),
                                                          text, did_you_mean(text, words)));
  };
}

}  // namespace weft::cli
