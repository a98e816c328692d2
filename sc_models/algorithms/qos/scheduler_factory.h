#pragma once
// Types of egress schedulers that configurations can name. A new one is a file pair and a line in
// scheduler_factory.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/qos/scheduler_type.h"
#include "base/records.h"

namespace weft {

using SchedulerTypes = Records<SchedulerType>;
SchedulerTypes& scheduler_types();

/// Violations of the scheduler's rules, one sentence each; empty: make_scheduler() takes it.
std::vector<std::string> scheduler_errors(const SchedulerConfig& config);

/// Bit s: SL s is sent when it stays active. A message of another SL would wait for ever.
std::uint32_t served_levels(const SchedulerConfig& config);

/// Largest message that is ever sent, in credits; nothing: no limit.
std::optional<std::uint32_t> largest_message(const SchedulerConfig& config);

/// Precondition: scheduler_errors(config) is empty; throws std::invalid_argument otherwise.
std::unique_ptr<EgressScheduler> make_scheduler(const SchedulerConfig& config);

}  // namespace weft
