#include "fabrics/optweb/node_clock.h"

#include "algorithms/optweb/clock_period.h"

namespace weft {
namespace {

using optweb::WideInteger;

constexpr std::int64_t kAsOfPs = optweb::kAttosecondsOfPicosecond;
constexpr std::int64_t kAsOfFs = kAsOfPs / 1000;

}  // namespace

NodeClock::NodeClock(ClockDomain& agenda, const OptwebConfig& config, NodeId node)
    : agenda_(agenda), nominal_(config.period), own_(!config.clocks.empty()) {
  if (!own_) return;
  const OptwebClock& clock = config.clocks[node];
  period_ = optweb::clock_period(config, clock);
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
