#include "algorithms/qos/schedulers.h"

#include <bit>

namespace weft {

ServiceLevel first_at_or_after(std::uint32_t set, std::uint32_t first) {
  const auto start = static_cast<int>(first % kMaxServiceLevels);
  const int distance = std::countr_zero(std::rotr(set, start));
  return static_cast<ServiceLevel>((start + distance) % static_cast<int>(kMaxServiceLevels));
}

std::optional<ServiceLevel> RoundRobin::pick(const EgressView& view) {
  if (view.active == 0) return std::nullopt;
  return first_at_or_after(view.active, last_ + 1U);
}

constinit const SchedulerType kRoundRobinScheduler{
    .name = "round_robin",
    .meaning = "one message of each level in turn",
    .make = [](const SchedulerConfig&) -> std::unique_ptr<EgressScheduler> { return std::make_unique<RoundRobin>(); },
};

}  // namespace weft
