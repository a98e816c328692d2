#include "fabrics/optweb/node_clock.h"

#include <algorithm>

namespace weft {
namespace {

using optweb::WideInteger;

constexpr std::int64_t kAsOfPs = 1'000'000;
constexpr std::int64_t kAsOfFs = 1'000;
constexpr std::int64_t kParts = 1'000'000'000;  // of the frequency: an offset is in parts per billion

// Nearest whole attosecond of nominal / (1 + offset).
WideInteger period_of(const OptwebConfig& config, const OptwebClock& clock) {
  const WideInteger parts = kParts + clock.offset_ppb;
  const WideInteger exact = static_cast<WideInteger>(config.period.ps) * kAsOfPs * kParts;
  return (2 * exact + parts) / (2 * parts);
}

}  // namespace

Duration NodeClock::agenda_period(const OptwebConfig& config) {
  WideInteger shortest = static_cast<WideInteger>(config.period.ps) * kAsOfPs;
  for (const OptwebClock& c : config.clocks) shortest = std::min(shortest, period_of(config, c));
  return {static_cast<std::int64_t>(shortest / kAsOfPs)};
}

NodeClock::NodeClock(ClockDomain& agenda, const OptwebConfig& config, NodeId node)
    : agenda_(agenda), nominal_(config.period), own_(!config.clocks.empty()) {
  if (!own_) return;
  const OptwebClock& clock = config.clocks[node];
  period_ = period_of(config, clock);
  phase_ = static_cast<WideInteger>(clock.phase_fs) * kAsOfFs % period_;
  slot_ = static_cast<WideInteger>(agenda.period().ps) * kAsOfPs;
}

Cycle NodeClock::first_edge(WideInteger at) const {
  return at <= phase_ ? 0 : static_cast<Cycle>((at - phase_ + period_ - 1) / period_);
}

Cycle NodeClock::at_or_after(Picoseconds time) const {
  return own_ ? first_edge(static_cast<WideInteger>(time) * kAs) : (time + nominal_.ps - 1) / nominal_.ps;
}

Cycle NodeClock::crossing(const NodeClock& from, Cycle n, Cycle nominal) const {
  if (!own_) return n + nominal;
  return first_edge(from.edge(n) + static_cast<WideInteger>(nominal) * nominal_.ps * kAs);
}

}  // namespace weft
