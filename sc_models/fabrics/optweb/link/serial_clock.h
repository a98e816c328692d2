#pragma once
// Clock of the serial-link IP of a sending end, beside the clock of its node (keys: link.serial). Edge n is at phase +
// n / frequency. A run of words begins at the first edge that is not earlier than the boundary at which the switch
// begins it; its words then pass at the pace of the link, so that boundary b + ceil(wait + i * pace) is the first at
// which i of them have passed. Notifications cross within `link.transmit`.

#include "algorithms/optweb/word_rate.h"
#include "base/units.h"
#include "fabrics/optweb/parameters.h"

namespace weft {

class SerialClock {
 public:
  SerialClock() = default;
  /// `phase`: picoseconds, less than a period.
  SerialClock(Frequency clock, std::int64_t phase) : hz_(clock.hz), phase_(phase) {}

  /// Units (OptwebParameters::units) that would pass at a pace from `time` to the next edge, rounded up.
  optweb::WideInteger lead(const OptwebParameters& parameters, Picoseconds time, const optweb::WordRate& pace) const {
    if (hz_ == 0) return 0;
    constexpr std::int64_t kPerSecond = 1'000'000'000'000;  // picoseconds
    // Parts of a cycle of the IP, kPerSecond of them each.
    const optweb::WideInteger since = static_cast<optweb::WideInteger>(time - phase_) * hz_;
    const optweb::WideInteger over = (since % kPerSecond + kPerSecond) % kPerSecond;
    const optweb::WideInteger wait = over == 0 ? 0 : kPerSecond - over;
    // A cycle of the IP are node clock / hz_ cycles of the node.
    const optweb::WideInteger per_cycle = parameters.units.rate(pace) * parameters.config->clock.hz / hz_;
    return (wait * per_cycle + kPerSecond - 1) / kPerSecond;
  }

 private:
  std::int64_t hz_ = 0;  // 0: none
  std::int64_t phase_ = 0;
};

}  // namespace weft
