#include "sweep/refine_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft {
namespace {

constexpr int kDigits = 5;    // of a load: a hundred times finer than the usual precision
constexpr int kDecimals = 6;  // most that keys such as traffic.0.load take

double rounded(double value, int digits, int most_decimals) {
  const int decimals = std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(value))), 0, most_decimals);
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale;
}

std::string number_text(double value) {
  std::string out = fmt::format("{:.{}f}", value, kDecimals);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out;
}

// Unit of a quantity as written; empty for a number, nothing for other texts.
std::optional<AxisNumber> quantity_of(const SweepSetting& setting) { return axis_number(setting.value, ""); }

bool counts_time(const std::string& unit) { return parse_cycle_span("1" + unit).value.has_value(); }

// What keys can take lies between two of them: whole counts, cycles, bytes (or bits) and picoseconds. `share`: of the
// way from the first to the second.
std::string text_between(const AxisNumber& from, const AxisNumber& to, double share) {
  const double value = from.value + share * (to.value - from.value);
  const auto whole = [](double v) { return std::round(v) == v; };
  if (const auto size = parse_data_size("1" + from.unit).value) {
    const auto bits = static_cast<double>(size->bits);
    for (const auto& [step, unit] : {std::pair(8.0, "B"), std::pair(1.0, "b")}) {
      if (!whole(from.value * bits / step) || !whole(to.value * bits / step)) continue;
      return fmt::format("{:.0f}{}", std::round(value * bits / step), unit);
    }
  }
  if (const auto time = parse_duration("1" + from.unit).value) {
    return number_text(std::round(value * static_cast<double>(time->ps)) / static_cast<double>(time->ps)) + from.unit;
  }
  // Between two whole numbers that follow each other lies a part of one: of a load, say.
  const bool counts = from.unit.empty() || counts_time(from.unit);
  if (counts && whole(from.value) && whole(to.value) && std::abs(to.value - from.value) > 1) {
    return fmt::format("{:.0f}{}", std::round(value), from.unit);
  }
  return number_text(value) + from.unit;
}

std::string setting_problem(const SweepAxis& axis, std::size_t s) {
  const SweepSetting& first = axis.points.front().set[s];
  const auto unit = quantity_of(first);
  for (const AxisPoint& p : axis.points) {
    if (p.set[s].value == first.value) continue;
    const auto number = quantity_of(p.set[s]);
    if (number && unit && number->unit == unit->unit) continue;
    return fmt::format(
        "'{}' is set to '{}' and to '{}', and nothing lies between these two; expected numbers, or "
        "quantities of one unit",
        first.key, first.value, p.set[s].value);
  }
  return {};
}

}  // namespace

std::vector<std::size_t> by_number(const SweepAxis& axis) {
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < axis.grid(); ++p) out.push_back(p);
  std::sort(out.begin(), out.end(),
            [&](std::size_t a, std::size_t b) { return *axis.points[a].number < *axis.points[b].number; });
  return out;
}

std::string not_searchable(const SweepAxis& axis) {
  if (!axis.is_number()) return "its points are not all numbers";
  if (axis.unit != "" && counts_time(axis.unit)) {
    return fmt::format(
        "its numbers are times ({}), and the load of a source falls as its interval grows; give the "
        "points a 'value' that grows with the load",
        axis.unit);
  }
  if (axis.unit == "%") return "its numbers are percentages, which keys take with few decimals";
  const std::vector<std::size_t> order = by_number(axis);
  if (!(*axis.points[order.front()].number > 0)) return "its numbers are not all above 0";
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (*axis.points[order[i - 1]].number == *axis.points[order[i]].number) {
      return fmt::format("its points '{}' and '{}' have the same number", axis.points[order[i - 1]].label,
                         axis.points[order[i]].label);
    }
  }
  const AxisPoint& first = axis.points.front();
  for (const AxisPoint& p : axis.points) {
    const bool same_keys = std::equal(p.set.begin(), p.set.end(), first.set.begin(), first.set.end(),
                                      [](const SweepSetting& a, const SweepSetting& b) { return a.key == b.key; });
    if (!same_keys) return fmt::format("its points '{}' and '{}' set different keys", first.label, p.label);
  }
  for (std::size_t s = 0; s < first.set.size(); ++s) {
    if (std::string problem = setting_problem(axis, s); !problem.empty()) return problem;
  }
  return {};
}

AxisPoint point_between(const SweepAxis& axis, const AxisPoint& low, const AxisPoint& high, double number) {
  const double share = (number - *low.number) / (*high.number - *low.number);
  const auto labelled = axis_number(low.label, "");
  const bool has_unit = labelled && !labelled->unit.empty();
  AxisPoint out{number_text(number) + (has_unit ? axis.unit : ""), number, low.set};
  for (std::size_t s = 0; s < out.set.size(); ++s) {
    const auto from = quantity_of(low.set[s]);
    const auto to = quantity_of(high.set[s]);
    if (low.set[s].value == high.set[s].value || !from || !to) continue;
    // What is searched itself keeps the number it is reported by.
    if (from->value == *low.number && to->value == *high.number) {
      out.set[s].value = number_text(number) + from->unit;
      continue;
    }
    out.set[s].value = text_between(*from, *to, share);
  }
  return out;
}

std::optional<double> middle_of(double low, double high) {
  const double middle = rounded(low + (high - low) / 2, kDigits, kDecimals);
  return middle > low && middle < high ? std::optional(middle) : std::nullopt;
}

double short_number(double value) { return rounded(value, 2 * kDigits, 2 * kDecimals); }

}  // namespace weft
