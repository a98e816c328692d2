// Small readers of a sweep file: places in a report, and what stands on an axis as a number.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/quantity.h"
#include "sweep/sweep_config.h"

namespace weft {
namespace {

constexpr std::string_view kPercent = "%";
constexpr const char* kForms =
    "expected 'sections.<section>.<figure>' or 'tables.<table>[<column>=<value>].<column>', got '{}'";

}  // namespace

const std::string* MetricPath::each() const {
  for (const Condition& c : rows) {
    if (c.value == "*") return &c.column;
  }
  return nullptr;
}

Parsed<MetricPath> parse_metric_path(std::string_view text) {
  const std::string error = fmt::format(fmt::runtime(kForms), text);
  MetricPath path;
  path.text = text;
  const std::size_t first = text.find('.');
  if (first == std::string_view::npos) return {std::nullopt, error};
  const std::string_view root = text.substr(0, first);
  std::string_view rest = text.substr(first + 1);
  path.table = root == "tables";
  if (!path.table && root != "sections" && root != "figures") return {std::nullopt, error};
  const std::size_t last = rest.rfind('.');
  if (last == std::string_view::npos || last + 1 == rest.size()) return {std::nullopt, error};
  path.figure = rest.substr(last + 1);
  rest = rest.substr(0, last);
  const std::size_t open = rest.find('[');
  path.place = rest.substr(0, open);
  if (path.place.empty() || path.place.find('.') != std::string::npos) return {std::nullopt, error};
  if (open == std::string_view::npos) return {std::move(path), {}};
  if (!path.table || !rest.ends_with(']')) return {std::nullopt, error};
  std::string_view conditions = rest.substr(open + 1, rest.size() - open - 2);
  int stars = 0;
  while (true) {
    const std::size_t comma = conditions.find(',');
    const std::string_view one = conditions.substr(0, comma);
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0) return {std::nullopt, error};
    path.rows.push_back({std::string(one.substr(0, equals)), std::string(one.substr(equals + 1))});
    if (path.rows.back().value == "*" && ++stars > 1) {
      return {std::nullopt, fmt::format("only one column can have the value '*', got '{}'", text)};
    }
    if (comma == std::string_view::npos) return {std::move(path), {}};
    conditions = conditions.substr(comma + 1);
  }
}

std::optional<AxisNumber> axis_number(const std::string& text, const std::string& unit) {
  AxisNumber number;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number.value);
  if (error != std::errc()) return std::nullopt;
  number.unit = unit;
  if (stop == end) return number;
  if (std::string_view(stop, static_cast<std::size_t>(end - stop)) == kPercent) {
    number.unit = kPercent;
    return unit.empty() || unit == kPercent ? std::optional(number) : std::nullopt;
  }
  const auto value = parse_quantity(text);
  if (!value) return std::nullopt;
  if (unit.empty()) number.unit = std::string(stop, end);
  const auto one = parse_quantity("1" + number.unit);
  if (!one || one->kind != value->kind) return std::nullopt;
  number.value = static_cast<double>(value->amount) / static_cast<double>(one->amount);
  return number;
}

}  // namespace weft
