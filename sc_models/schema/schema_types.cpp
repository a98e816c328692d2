#include "schema/schema_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/text.h"

namespace weft {
using Read = std::optional<std::string>;

Read read_scalar(const YamlNode& node, const std::string& path, const std::string& what, Diagnostics& diagnostics) {
  if (node.kind == YamlNode::Kind::scalar) return node.text;
  if (node.kind == YamlNode::Kind::null) {
    diagnostics.error(node.where, fmt::format("{}: the value is missing, expected {}", path, what));
  } else {
    diagnostics.error(node.where, fmt::format("{}: expected {}, got {}", path, what, node.describe()));
  }
  return std::nullopt;
}

namespace {

// Limits of a span far beyond any hardware, and small enough that sums of spans never overflow.
constexpr Cycle kMaxCycles = 1'000'000'000;

TypeInfo named(std::string name, SharedForm form, std::string range = {}) {
  TypeInfo info;
  info.name = std::move(name);
  info.range = std::move(range);
  info.form = std::move(form);
  return info;
}

TypeInfo with_unit(std::string name, std::string units, std::string range) {
  TypeInfo info = named(std::move(name), phrase_form(quantity_pattern(units)), std::move(range));
  info.units = std::move(units);
  return info;
}

// A quantity with a unit, read by one of base/units' parsers and then checked against a range.
template <class T, class Parse, class Check>
Type<T> quantity(TypeInfo info, const std::string& what, Parse parse, Check check) {
  return {std::move(info),
          [what, parse, check](const YamlNode& node, const std::string& path,
                               Diagnostics& diagnostics) -> std::optional<T> {
            const Read text = read_scalar(node, path, what, diagnostics);
            if (!text) return std::nullopt;
            const Parsed<T> parsed = parse(*text);
            std::string error = parsed.value ? check(*parsed.value, *text) : parsed.error;
            if (error.empty()) return parsed.value;
            diagnostics.error(node.where, fmt::format("{}: {}", path, error));
            return std::nullopt;
          }};
}

template <class T>
auto within(const std::string& what, T min, T max) {
  return [what, min, max](const T& value, const std::string& text) {
    if (value >= min && value <= max) return std::string();
    return fmt::format("expected {} from {} to {}, got '{}'", what, to_string(min), to_string(max), text);
  };
}

// digits[.digits] with at most `decimals` of them behind the point -> multiple of 10^-decimals
std::optional<std::uint64_t> parse_decimal(const std::string& text, int decimals) {
  std::uint64_t value = 0;
  int behind = -1;  // digits behind the point; -1: no point yet
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == '.' && behind < 0) {
      behind = 0;
    } else if (c >= '0' && c <= '9' && ++digits <= 18 && behind < decimals) {
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
      if (behind >= 0) ++behind;
    } else {
      return std::nullopt;
    }
  }
  if (digits == 0 || digits + static_cast<std::size_t>(decimals) > 18) return std::nullopt;
  for (behind = std::max(behind, 0); behind < decimals; ++behind) value *= 10;
  return value;
}

// "2.5e-03", as libraries write small numbers, is "0.0025"; what is no such number stays as it is.
std::string without_exponent(const std::string& text) {
  constexpr int kLargest = 18;
  const std::size_t at = text.find_first_of("eE");
  if (at == std::string::npos) return text;
  const char* const end = text.data() + text.size();
  const char* first = text.data() + at + 1;
  if (first != end && *first == '+' && first + 1 != end && first[1] != '-') ++first;
  int exponent = 0;
  const auto [stop, error] = std::from_chars(first, end, exponent);
  if (error != std::errc() || stop != end || exponent < -kLargest || exponent > kLargest) return text;
  std::string digits = text.substr(0, at);
  std::size_t point = digits.find('.');
  if (point == std::string::npos) {
    point = digits.size();
  } else {
    digits.erase(point, 1);
    while (digits.size() > point && digits.back() == '0') digits.pop_back();
  }
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return text;
  const auto zeros = static_cast<std::size_t>(kLargest);
  digits = std::string(zeros, '0') + digits;
  point = static_cast<std::size_t>(static_cast<int>(point + zeros) + exponent);
  if (digits.size() < point) digits.append(point - digits.size(), '0');
  std::string whole = digits.substr(0, point);
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  std::string fraction = digits.substr(point);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return (whole.empty() ? "0" : whole) + (fraction.empty() ? "" : "." + fraction);
}

bool is_word(const std::string& text) {
  return !text.empty() &&
         std::none_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
}

}  // namespace

Type<std::string> text_type() {
  return {named("text", text_form()), [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            return read_scalar(node, path, "a text", diagnostics);
          }};
}

Type<std::string> word_type() {
  return {named("word", text_form("^\\S+$")),
          [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            const std::string what = "a word (text without blanks)";
            Read text = read_scalar(node, path, what, diagnostics);
            if (!text || is_word(*text)) return text;
            diagnostics.error(node.where, fmt::format("{}: expected {}, got '{}'", path, what, *text));
            return Read();
          }};
}

Type<std::string> path_type() {
  return {named("file name", text_form(".")),
          [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            Read text = read_scalar(node, path, "a file name", diagnostics);
            if (!text || !text->empty()) return text;
            diagnostics.error(node.where, fmt::format("{}: expected a file name, got an empty text", path));
            return Read();
          }};
}

Type<bool> boolean_type() {
  TypeInfo info = named("boolean", boolean_form());
  info.choices = {"true", "false"};
  return {std::move(info),
          [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<bool> {
            const Read text = read_scalar(node, path, "true or false", diagnostics);
            if (!text) return std::nullopt;
            if (*text == "true") return true;
            if (*text == "false") return false;
            diagnostics.error(node.where, fmt::format("{}: expected true or false, got '{}'", path, *text));
            return std::nullopt;
          }};
}

Type<std::uint64_t> whole_number_type(std::uint64_t min, std::uint64_t max) {
  return {named("whole number", whole_form(min, max), fmt::format("{} to {}", min, max)),
          [min, max](const YamlNode& node, const std::string& path,
                     Diagnostics& diagnostics) -> std::optional<std::uint64_t> {
            const std::string what = fmt::format("a whole number from {} to {}", min, max);
            const Read text = read_scalar(node, path, what, diagnostics);
            if (!text) return std::nullopt;
            std::uint64_t value = 0;
            const char* const end = text->data() + text->size();
            const auto [stop, error] = std::from_chars(text->data(), end, value);
            const bool digits =
                !text->empty() && std::all_of(text->begin(), text->end(), [](char c) { return c >= '0' && c <= '9'; });
            if (digits && error == std::errc() && stop == end && value >= min && value <= max) return value;
            diagnostics.error(node.where, fmt::format("{}: expected {}, got '{}'", path, what, *text));
            return std::nullopt;
          }};
}

Type<Frequency> clock_type() {
  return quantity<Frequency>(with_unit("frequency", "Hz, kHz, MHz, GHz", "1Hz to 1000GHz, with a period of whole ps"),
                             "a frequency", parse_frequency,
                             [](const Frequency& clock, const std::string&) { return period_of(clock).error; });
}

Type<Duration> duration_type(Duration min, Duration max) {
  return quantity<Duration>(
      with_unit("duration", "ps, ns, us, ms, s", fmt::format("{} to {}", to_string(min), to_string(max))), "a duration",
      parse_duration, within("a duration", min, max));
}

Type<DataSize> data_size_type(DataSize min, DataSize max) {
  return quantity<DataSize>(with_unit("data size", "b, kb, Mb, Gb, B, kB, KiB, MB, MiB, GB, GiB",
                                      fmt::format("{} to {}", to_string(min), to_string(max))),
                            "a data size", parse_data_size, within("a data size", min, max));
}

Type<Rate> rate_type(Rate min, Rate max) {
  return quantity<Rate>(
      with_unit("rate", "b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, bps, kbps, Mbps, Gbps, Tbps",
                fmt::format("{} to {}", to_string(min), to_string(max))),
      "a rate", parse_rate, within("a rate", min, max));
}

Type<std::uint64_t> decimal_type(int decimals, std::uint64_t min, std::uint64_t max) {
  const std::string range = fmt::format("{} to {}", decimal_text(min, decimals), decimal_text(max, decimals));
  const std::string what =
      fmt::format("a decimal number from {} with at most {} decimal{}", range, decimals, decimals == 1 ? "" : "s");
  return {named("decimal number", decimal_form(decimal_text(min, decimals), decimal_text(max, decimals)),
                fmt::format("{} in steps of {}", range, decimal_text(1, decimals))),
          [=](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<std::uint64_t> {
            const Read text = read_scalar(node, path, what, diagnostics);
            if (!text) return std::nullopt;
            const std::optional<std::uint64_t> value = parse_decimal(without_exponent(*text), decimals);
            if (value && *value >= min && *value <= max) return value;
            diagnostics.error(node.where, fmt::format("{}: expected {}, got '{}'", path, what, *text));
            return std::nullopt;
          }};
}

Type<std::int64_t> signed_decimal_type(int decimals, std::uint64_t most) {
  const std::string range = fmt::format("-{0} to {0}", decimal_text(most, decimals));
  const std::string what =
      fmt::format("a decimal number from {} with at most {} decimal{}", range, decimals, decimals == 1 ? "" : "s");
  return {named("decimal number", decimal_form("-" + decimal_text(most, decimals), decimal_text(most, decimals)),
                fmt::format("{} in steps of {}", range, decimal_text(1, decimals))),
          [=](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<std::int64_t> {
            const Read text = read_scalar(node, path, what, diagnostics);
            if (!text) return std::nullopt;
            const bool negative = text->starts_with('-');
            const std::optional<std::uint64_t> value =
                parse_decimal(without_exponent(text->substr(negative ? 1 : 0)), decimals);
            if (value && *value <= most) {
              return negative ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
            }
            diagnostics.error(node.where, fmt::format("{}: expected {}, got '{}'", path, what, *text));
            return std::nullopt;
          }};
}

Type<std::uint64_t> percentage_type(int decimals, std::uint64_t min, std::uint64_t max) {
  const std::string range = fmt::format("{}% to {}%", decimal_text(min, decimals), decimal_text(max, decimals));
  const std::string what =
      fmt::format("a percentage from {} with at most {} decimal{}", range, decimals, decimals == 1 ? "" : "s");
  return {with_unit("percentage", "%", range),
          [=](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<std::uint64_t> {
            const Read text = read_scalar(node, path, what, diagnostics);
            if (!text) return std::nullopt;
            if (text->ends_with('%')) {
              std::string digits = text->substr(0, text->size() - 1);
              digits.erase(digits.find_last_not_of(" \t") + 1);
              const auto value = parse_decimal(digits, decimals);
              if (value && *value >= min && *value <= max) return value;
            }
            diagnostics.error(node.where, fmt::format("{}: expected {}, got '{}'", path, what, *text));
            return std::nullopt;
          }};
}

Type<std::int64_t> unit_decimal_type(const std::string& unit, int decimals, std::int64_t min, std::int64_t max) {
  const auto text_of = [&](std::int64_t v) {
    return (v < 0 ? "-" : "") + decimal_text(static_cast<std::uint64_t>(v < 0 ? -v : v), decimals) + unit;
  };
  const std::string range = fmt::format("{} to {}", text_of(min), text_of(max));
  const std::string what =
      fmt::format("a number of {} from {} with at most {} decimal{}", unit, range, decimals, decimals == 1 ? "" : "s");
  TypeInfo info =
      named("number of " + unit, phrase_form(fmt::format("^-?([0-9]+\\.?[0-9]*|\\.[0-9]+) ?{}$", unit)), range);
  info.units = unit;
  return {std::move(info),
          [=](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<std::int64_t> {
            const Read text = read_scalar(node, path, what, diagnostics);
            if (!text) return std::nullopt;
            if (text->ends_with(unit)) {
              const std::size_t sign = text->starts_with('-') ? 1 : 0;
              std::string digits = text->substr(sign, std::max(text->size() - unit.size(), sign) - sign);
              if (digits.ends_with(' ')) digits.pop_back();
              const std::optional<std::uint64_t> size = parse_decimal(digits, decimals);
              const std::int64_t value = static_cast<std::int64_t>(size.value_or(0)) * (sign != 0 ? -1 : 1);
              if (size && value >= min && value <= max) return value;
            }
            diagnostics.error(node.where, fmt::format("{}: expected {}, got '{}'", path, what, *text));
            return std::nullopt;
          }};
}

Type<CycleSpan> cycle_span_type(Cycle min, Duration longest) {
  const CycleSpan low{true, min};
  const std::string range = fmt::format("{} to {} (durations to {}, rounded up to whole cycles)", to_string(low),
                                        to_string(CycleSpan{true, kMaxCycles}), to_string(longest));
  return quantity<CycleSpan>(
      with_unit("cycles or duration", "cycle, cycles, ps, ns, us, ms, s", range), "a number of cycles or a duration",
      parse_cycle_span, [low, longest](const CycleSpan& span, const std::string& text) {
        // Any duration above zero is at least one cycle once it is rounded up.
        const bool enough = span.in_cycles ? span.value >= low.value : (span.value > 0 || low.value == 0);
        const bool small = span.value <= (span.in_cycles ? kMaxCycles : longest.ps);
        if (enough && small) return std::string();
        return fmt::format("expected {} to {} or a duration of at most {}, got '{}'", to_string(low),
                           to_string(CycleSpan{true, kMaxCycles}), to_string(longest), text);
      });
}

Type<std::size_t> word_choice_type(std::vector<std::string> words) {
  TypeInfo info = named("choice", choice_form(words));
  info.choices = words;
  return {std::move(info),
          [words = std::move(words)](const YamlNode& node, const std::string& path,
                                     Diagnostics& diagnostics) -> std::optional<std::size_t> {
            std::string all;
            for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
            const std::string what = words.size() == 1 ? all : "one of: " + all;
            const Read text = read_scalar(node, path, what, diagnostics);
            if (!text) return std::nullopt;
            const auto found = std::find(words.begin(), words.end(), *text);
            if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
            diagnostics.error(node.where, fmt::format("{}: unknown value '{}' (expected {}){}", path, *text, what,
                                                      did_you_mean(*text, words)));
            return std::nullopt;
          }};
}

Type<std::vector<Placed<std::string>>> bases_type() {
  auto type = list_of(path_type(), 1, kAnyCount);
  type.info.name = "file name or list of them";
  type.info.form = either_form(type.info.form, path_type().info.form);
  return type;
}

namespace schema_detail {
namespace {

bool check_is_list(const YamlNode& node, const std::string& path, std::size_t min, std::size_t max,
                   const std::string& element, Diagnostics& diagnostics) {
  if (node.kind != YamlNode::Kind::sequence) {
    diagnostics.error(node.where, fmt::format("{}: expected a list ([..., ...]) of type '{}', got {}", path, element,
                                              node.describe()));
    return false;
  }
  const std::size_t count = node.entries.size();
  if (count >= min && count <= max) return true;
  diagnostics.error(node.where, fmt::format("{}: expected {}, got {}", path, count_range(min, max), count));
  return false;
}

// Type of a list or map of the given type.
TypeInfo container_info(const std::string& prefix, const TypeInfo& element, std::string range, std::string path,
                        SharedForm form) {
  TypeInfo info = element;
  info.name = prefix + element.name;
  if (prefix.starts_with("list")) {  // plural
    if (element.name.starts_with("list of ")) {
      info.name = prefix + "lists" + element.name.substr(4);
    } else if (!element.name.ends_with("s")) {
      info.name += "s";
    }
  }
  if (!range.empty() && !info.range.empty()) range += ", each ";
  info.range = range + info.range;
  info.section_path = std::move(path) + element.section_path;
  info.form = std::move(form);
  return info;
}

// The elements of `node`; true if all of them have a value.
bool read_elements(const YamlNode& node, const std::string& path, Diagnostics& diagnostics, const AnyType& element,
                   const List& list, bool by_name, void* out) {
  bool all = true;
  std::size_t index = 0;
  for (const YamlEntry& e : node.entries) {
    const std::string own_path = join_path(path, by_name ? e.key : std::to_string(index++));
    if (element.read_into(e.value, own_path, diagnostics, list.add(out, e))) continue;
    list.invalidate(out);
    all = false;
  }
  return all;
}

}  // namespace

std::string count_range(std::size_t min, std::size_t max) {
  const auto entries = [](std::size_t n) { return fmt::format("{} {}", n, n == 1 ? "entry" : "entries"); };
  if (min == max) return "exactly " + entries(min);
  if (max == kAnyCount) return min == 0 ? std::string() : "at least " + entries(min);
  return fmt::format("{} to {}", min, entries(max));
}

AnyType stored_number_type(std::uint64_t min, std::uint64_t max, Store store) {
  const Type<std::uint64_t> number = whole_number_type(min, max);
  return {number.info,
          [number, store](const YamlNode& node, const std::string& path, Diagnostics& diagnostics, void* out) {
            const std::optional<std::uint64_t> value = number.read(node, path, diagnostics);
            if (value) store(out, *value);
            return value.has_value();
          }};
}

AnyType stored_choice_type(std::vector<std::string> words, std::vector<std::uint64_t> numbers, Store store) {
  const Type<std::size_t> word = word_choice_type(std::move(words));
  return {word.info, [word, numbers = std::move(numbers), store](const YamlNode& node, const std::string& path,
                                                                 Diagnostics& diagnostics, void* out) {
            const std::optional<std::size_t> index = word.read(node, path, diagnostics);
            if (index) store(out, numbers[*index]);
            return index.has_value();
          }};
}

AnyType list_type(const AnyType& element, std::size_t min, std::size_t max, const List& list) {
  return {
      container_info("list of ", element.info, count_range(min, max), "[]", list_form(element.info.form, min, max)),
      [element, min, max, list](const YamlNode& node, const std::string& path, Diagnostics& diagnostics, void* out) {
        if (!check_is_list(node, path, min, max, element.info.name, diagnostics)) return false;
        if (read_elements(node, path, diagnostics, element, list, false, out) || element.info.section) return true;
        list.clear(out);
        return false;
      }};
}

AnyType map_type(const std::string& placeholder, const AnyType& element, const List& map) {
  return {container_info("names with a ", element.info, {}, "." + placeholder, names_form(element.info.form)),
          [element, map, named = placeholder == "<name>"](const YamlNode& node, const std::string& path,
                                                          Diagnostics& diagnostics, void* out) {
            if (!check_is_section(node, path, diagnostics)) return false;
            bool words = true;
            for (const YamlEntry& e : node.entries) {  // other keys name them
              if (!named || is_word(e.key)) continue;
              diagnostics.error(e.key_where, fmt::format("{}: expected names that are words (text without blanks), got "
                                                         "'{}'",
                                                         path, e.key));
              words = false;
            }
            if (read_elements(node, path, diagnostics, element, map, true, out) && words) return true;
            map.clear(out);
            return false;
          }};
}

}  // namespace schema_detail
}  // namespace weft
