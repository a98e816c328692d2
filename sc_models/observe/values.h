#pragma once
// Counts, lists and times of a clock as values of a report.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "base/ids.h"
#include "base/units.h"
#include "observe/statistic.h"

namespace weft {

inline std::int64_t whole(std::uint64_t n) { return static_cast<std::int64_t>(n); }

/// A figure that may not exist.
template <class T>
Value maybe(const std::optional<T>& v) {
  return v ? Value(*v) : Value();
}

/// Elements in their order, apart by blanks.
template <class Range>
std::string list_text(const Range& range) {
  return fmt::format("{}", fmt::join(range, " "));
}

/// A number for one node, a list for several.
inline Value nodes_value(const std::vector<NodeId>& nodes) {
  return nodes.size() == 1 ? Value{std::int64_t{nodes.front()}} : Value{list_text(nodes)};
}

/// Cycles as nanoseconds; -1, a cycle that was not reached, has no value.
class CycleTimes {
 public:
  explicit CycleTimes(Duration period) : period_(period), period_ns_(static_cast<double>(period.ps) / 1000.0) {}
  Duration period() const { return period_; }
  double ns(Cycle cycles) const { return static_cast<double>(cycles) * period_ns_; }
  Value time(Cycle cycle) const { return cycle < 0 ? Value{} : ns(cycle); }
  Value span(Cycle from, Cycle to) const { return from < 0 || to < 0 ? Value{} : ns(to - from); }

 private:
  Duration period_;
  double period_ns_;
};

}  // namespace weft
