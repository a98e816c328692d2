#pragma once
// Window of a measurement.

#include <algorithm>
#include <limits>

#include "base/units.h"

namespace weft {

/// Cycles first .. last - 1.
struct Window {
  static constexpr Cycle kOpen = std::numeric_limits<Cycle>::max();  ///< `last` of a window whose end is not known yet
  Cycle first = 0;
  Cycle last = 0;
  bool holds(Cycle c) const { return c >= first && c < last; }
  Cycle length() const { return last - first; }
  /// Cycles of [from, to) inside.
  Cycle overlap(Cycle from, Cycle to) const { return std::max<Cycle>(0, std::min(to, last) - std::max(from, first)); }
};

/// Statistics that measure in a window which a run opens and closes.
class WindowedStats {
 public:
  virtual ~WindowedStats() = default;
  /// Forgets what has been measured: the window begins with cycle `first` and is open. Cycles before which something
  /// has been told are too early.
  virtual void measure_from(Cycle first) = 0;
  /// An open window ends before cycle `last`, under the same condition.
  virtual void measure_until(Cycle last) = 0;
  /// Ends the measurement in cycle `now`; a window that is not over ends with this cycle.
  virtual void close(Cycle now) = 0;
};

}  // namespace weft
