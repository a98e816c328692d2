#pragma once
// Length of a run that goes on until mean latencies are known: when the warm-up is over, and when the window is.
//
// It looks at the histories of the controlled levels now and then, a quarter of the time so far apart:
//   warm-up  until MSER-5 finds its end in the first quarter of the time so far for every level, or the level is
//            saturated, or half of the longest time is over. The window begins then, with what comes: what has passed
//            is not measured. (Of what rises steadily MSER-5 cuts off up to half, hence the quarter.)
//   window   until every level is saturated and the growth of its queues known to within a quarter, or its mean latency
//            is known to within the share asked for, or the longest time is over. A window in which a latency still
//            rises although the queues do not is given up for a new one.

#include <cstdint>
#include <span>
#include <vector>

#include "observe/level_state.h"

namespace weft {

class RunLength {
 public:
  struct Goal {
    double half_width = 0;  ///< share of the mean
    double confidence = 0;
    Cycle warm_up = 0;  ///< at least
    Cycle measure = 0;  ///< at least
    Cycle at_most = 0;  ///< warm-up and window
    Cycle ahead = 1;    ///< from a decision until it takes effect
  };
  enum class Step { go_on, measure, end };
  struct Decision {
    Step step = Step::go_on;
    Cycle at = 0;    ///< measure, end: first cycle of the window, or the first one behind it
    Cycle next = 0;  ///< go_on, measure: when to look again
  };

  explicit RunLength(const Goal& goal);
  Cycle first_check() const { return first_check_; }
  /// Looks at the histories of the controlled levels, all from the same cycle on.
  Decision check(Cycle now, std::span<const LevelSeries* const> levels);

  /// The warm-up was over before the window began, as far as anybody can tell.
  bool warmed_up() const { return warmed_up_; }
  /// End of the warm-up by MSER-5, of the level that took longest; from the beginning of the run.
  Cycle transient() const { return transient_; }
  /// Windows in which a latency still rose.
  std::uint32_t given_up() const { return given_up_; }
  /// The longest time was over before everything was known.
  bool out_of_time() const { return out_of_time_; }

 private:
  Decision warm_up(Cycle now, std::span<const LevelSeries* const> levels);
  Decision window(Cycle now, std::span<const LevelSeries* const> levels);
  Decision begin(Cycle now, Cycle length);
  Decision end(Cycle now, Cycle at) const;
  Decision go_on(Cycle now, Cycle passed, Cycle until) const;
  bool over(const LevelSeries& level, Cycle now);

  Goal goal_;
  Cycle first_check_;
  Cycle half_;      // of the longest time: the window begins then at the latest
  Cycle deadline_;  // the last decision
  bool measuring_ = false;
  Cycle first_ = 0;  // of the window
  bool warmed_up_ = false;
  Cycle transient_ = 0;
  std::uint32_t given_up_ = 0;
  bool out_of_time_ = false;
};

}  // namespace weft
