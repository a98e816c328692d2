#include "algorithms/optweb/clock_period.h"

#include <algorithm>

namespace weft::optweb {

WideInteger clock_period(const OptwebConfig& config, const OptwebClock& clock) {
  constexpr std::int64_t kParts = 1'000'000'000;  // of the frequency: an offset is in parts per billion
  const WideInteger parts = kParts + clock.offset_ppb;
  const WideInteger exact = static_cast<WideInteger>(config.period.ps) * kAttosecondsOfPicosecond * kParts;
  return (2 * exact + parts) / (2 * parts);
}

Duration agenda_period(const OptwebConfig& config) {
  WideInteger shortest = static_cast<WideInteger>(config.period.ps) * kAttosecondsOfPicosecond;
  for (const OptwebClock& c : config.clocks) shortest = std::min(shortest, clock_period(config, c));
  return {static_cast<std::int64_t>(shortest / kAttosecondsOfPicosecond)};
}

}  // namespace weft::optweb
