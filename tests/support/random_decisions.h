#pragma once
// Random traffic for the tests of egress schedulers.

#include <cstdint>
#include <optional>

#include "base/random.h"
#include "support/egress_port.h"

namespace weft::test {

/// One decision, after arrivals of messages of 1 to `sizes` credits and changes of credits; sometimes an idle one.
inline std::optional<Sent> random_decision(RandomStream& random, std::uint64_t levels, std::uint64_t sizes,
                                           EgressPort& port, EgressScheduler& scheduler) {
  for (std::uint64_t n = random.below(3); n > 0; --n) {
    port.push(static_cast<ServiceLevel>(random.below(levels)), static_cast<std::uint32_t>(1 + random.below(sizes)));
  }
  if (random.below(6) == 0) port.block(static_cast<ServiceLevel>(random.below(levels)), random.below(3) == 0);
  if (random.below(5) != 0) return port.step(scheduler);
  scheduler.idle();
  return std::nullopt;
}

}  // namespace weft::test
