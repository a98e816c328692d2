#include "algorithms/qos/schedulers.h"

namespace weft {

DeficitRoundRobin::DeficitRoundRobin(const std::vector<std::uint32_t>& quanta) {
  for (std::size_t sl = 0; sl < quanta.size(); ++sl) set_quantum(static_cast<ServiceLevel>(sl), quanta[sl]);
}

void DeficitRoundRobin::set_quantum(ServiceLevel sl, std::uint32_t quantum) {
  quantum_[sl] = quantum;
  served_ = (served_ & ~(1U << sl)) | (quantum > 0 ? 1U << sl : 0U);
}

void DeficitRoundRobin::forget_inactive(std::uint32_t active) {
  for (ServiceLevel sl = 0; sl < kMaxServiceLevels; ++sl) {
    if ((active >> sl & 1U) == 0) deficit_[sl] = 0;
  }
  in_turn_ = in_turn_ && (active >> turn_ & 1U) != 0;
}

std::optional<ServiceLevel> DeficitRoundRobin::pick(const EgressView& view) {
  forget_inactive(view.active);
  if (!in_turn_ || deficit_[turn_] < view.head[turn_]) {
    in_turn_ = (view.active & served_) != 0;
    if (!in_turn_) return std::nullopt;
    turn_ = first_at_or_after(view.active & served_, turn_ + 1U);
    deficit_[turn_] += quantum_[turn_];
    if (deficit_[turn_] < view.head[turn_]) return std::nullopt;
  }
  granted_size_ = view.head[turn_];
  return turn_;
}

constinit const SchedulerType kDrrScheduler{
    .name = "drr",
    .meaning = "deficit round robin",
    .level_key = "quantum",
    .needs_level_key = true,
    .make = [](const SchedulerConfig& c) -> std::unique_ptr<EgressScheduler> {
      return std::make_unique<DeficitRoundRobin>(c.quanta);
    },
    .check = [](const SchedulerConfig& c,
                std::vector<std::string>& errors) { check_count(errors, "quanta", c.quanta.size()); },
    .served = [](const SchedulerConfig& c) { return levels_with(c.quanta); },
    .steps = [](const SchedulerConfig& c, ServiceLevel sl, std::uint32_t message) -> std::uint64_t {
      return c.quanta[sl] == 0 ? 0 : (message / std::uint64_t{c.quanta[sl]} + 2) * c.quanta.size();
    },
};

}  // namespace weft
