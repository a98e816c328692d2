#pragma once
// State of one service level over a stretch of time: how sure its mean latency is, whether it still grows, whether the
// level is saturated. One rule for reports and for runs that go on until they know.

#include <optional>

#include "observe/level_series.h"
#include "observe/steady_state.h"

namespace weft {

struct LevelState {
  std::optional<MeanInterval> latency;  ///< mean latency in cycles; none with too few messages
  std::optional<MeanInterval> growth;   ///< of its source queues together, in messages per cycle; none in a short time
  double drift = 0;                     ///< mean latency of the second half over that of the first, less 1
  bool trend = false;                   ///< the drift is upwards and more than chance
  bool saturated = false;               ///< its source queues grow for as long as sources go on
  bool even = false;                    ///< they are sure not to
  bool open = false;                    ///< they grow within that time, and may go on or come to rest

  /// Its latency grows within that time: no steady state. Where batches are correlated nothing is known of chance.
  bool rising() const { return trend || (latency && latency->correlated() && drift > 0.1); }
  /// The mean latency is that of the steady state, to within a share of it.
  bool known(double half_width) const {
    return even && !rising() && latency && !latency->correlated() && latency->half_width <= half_width * latency->mean;
  }
  /// Saturated, and the growth is known to within a quarter.
  bool growth_known() const { return saturated && growth->half_width <= growth->mean / 4; }
};

/// The state from the beginning of the series to cycle `end`. `whole`: messages that have not arrived yet will not.
LevelState state_of(const LevelSeries& series, Cycle end, double confidence, bool whole);

}  // namespace weft
