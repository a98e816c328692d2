#pragma once
// The part of a run that goes into its waveform (observe.waves): from a time to a time, or around an event.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "kernel/clock_domain.h"
#include "observe/wave_file.h"

namespace weft {

/// Time that a waveform shows.
struct WaveSpan {
  Duration from;
  Duration until;
};

class WaveWindow {
 public:
  WaveWindow(Duration from, std::optional<Duration> until, Duration period)
      : range_{cycles(from, period), until ? cycles(*until, period) : std::numeric_limits<Cycle>::max()},
        period_(period) {}
  /// Shows this instead: the cycles that begin in it, and the one in which it begins. Before the run.
  void limit(const WaveSpan& span) {
    range_ = {span.from.ps / period_.ps, cycles(span.until, period_)};
    by_event_ = true;
  }
  Cycle from() const { return range_.from; }
  Cycle until() const { return range_.until; }
  /// Both, as they are when time begins.
  const CycleRange& range() const { return range_; }
  bool shows(Cycle cycle) const { return cycle >= range_.from && cycle < range_.until; }
  /// For ClockDomain::add_cycle_hook: of the cycles from this one on the first that a waveform of the window needs.
  /// `before`: those in front of the window that it needs; kNever: all.
  Cycle first_needed(Cycle cycle, Cycle before) const {
    if (cycle >= range_.until) return ClockDomain::kNever;
    return before == ClockDomain::kNever ? cycle : std::max(cycle, range_.from - before);
  }
  /// The state after the last cycle of the run belongs to the waveform, too.
  bool shows_end(Cycle last) const { return last + 1 >= range_.from && last < range_.until; }
  /// To be told when the run ended before the window began, or no cycle begins in it. Of an event others tell.
  void add_note(Cycle last, std::vector<std::string>& notes) const {
    if (by_event_) return;
    if (range_.from >= range_.until) {
      notes.push_back("the waveform is empty: no cycle begins between observe.waves.from and until");
      return;
    }
    if (range_.from <= last + 2) return;  // the state behind the last cycle, which is a cycle more with waves
    notes.push_back(fmt::format("the waveform is empty: observe.waves.from is {}, the run ended after {}",
                                to_string(Duration{range_.from * period_.ps}), to_string(Duration{last * period_.ps})));
  }

 private:
  static Cycle cycles(Duration d, Duration period) { return CycleSpan{false, d.ps}.cycles(period); }
  CycleRange range_;
  Duration period_;
  bool by_event_ = false;
};

/// The window of a waveform that is open becomes this one, if there is one. `window`: null: no waveform.
inline void limit_waves(WaveWindow* window, const std::optional<WaveSpan>& span) {
  if (window != nullptr && span) window->limit(*span);
}

}  // namespace weft
