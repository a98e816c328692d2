#pragma once
// Periods of the clocks of nodes, and of the agenda that serves them all.

#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/word_rate.h"

namespace weft::optweb {

inline constexpr std::int64_t kAttosecondsOfPicosecond = 1'000'000;

/// Nearest whole attosecond of the nominal period / (1 + offset).
WideInteger clock_period(const OptwebConfig& config, const OptwebClock& clock);

/// Period of an agenda that fits the clocks of all nodes: the shortest one, whole picoseconds, rounded down.
Duration agenda_period(const OptwebConfig& config);

}  // namespace weft::optweb
