#include "algorithms/qos/schedulers.h"

#include <utility>

namespace weft {

StrictPriority::StrictPriority(std::vector<ServiceLevel> order) : order_(std::move(order)) {}

std::optional<ServiceLevel> StrictPriority::pick(const EgressView& view) {
  for (const ServiceLevel sl : order_) {
    if (view.is_active(sl)) return sl;
  }
  return std::nullopt;
}

constinit const SchedulerType kStrictPriorityScheduler{
    .name = "strict_priority",
    .meaning = "the first level of a fixed order that has a message",
    .level_key = "priority",
    .make = [](const SchedulerConfig& c) -> std::unique_ptr<EgressScheduler> {
      return std::make_unique<StrictPriority>(c.order);
    },
    .check =
        [](const SchedulerConfig& c, std::vector<std::string>& errors) {
          std::uint32_t seen = 0;
          for (std::size_t i = 0; i < c.order.size(); ++i) {
            check_level(errors, "priority", i, c.order[i]);
            if (c.order[i] >= kMaxServiceLevels) continue;
            if ((seen >> c.order[i] & 1U) != 0) {
              errors.push_back("SL " + std::to_string(c.order[i]) + " has two priorities");
            }
            seen |= 1U << c.order[i];
          }
        },
    .served =
        [](const SchedulerConfig& c) {
          std::uint32_t set = 0;
          for (const ServiceLevel sl : c.order) {
            if (sl < kMaxServiceLevels) set |= 1U << sl;
          }
          return set;
        },
};

}  // namespace weft
