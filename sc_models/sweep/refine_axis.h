#pragma once
// Loads between the points of an axis, for a search along it.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "sweep/sweep_config.h"

namespace weft {

/// Places of the points of the file on an axis of numbers, by their numbers.
std::vector<std::size_t> by_number(const SweepAxis& axis);

/// Why nothing can be looked for along this axis; empty: it can. All points set the same keys, each key to the same
/// value or to numbers (quantities of one unit), so that there are points between them.
std::string not_searchable(const SweepAxis& axis);

/// The point at `number` between two points of the axis; what they set to different numbers lies at the same share of
/// the way between them, sizes as whole bytes, times as whole ps, and between whole numbers that do not follow each
/// other whole numbers.
AxisPoint point_between(const SweepAxis& axis, const AxisPoint& low, const AxisPoint& high, double number);

/// Middle of two numbers above 0, with few digits; nothing when no such number lies between them.
std::optional<double> middle_of(double low, double high);

/// The number without what the arithmetic of its binary digits has added.
double short_number(double value);

}  // namespace weft
