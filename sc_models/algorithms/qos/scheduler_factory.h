#pragma once
// Egress schedulers by description. A new scheduler is a file pair, its kind in egress_scheduler.h and a line in kTypes
// of scheduler_factory.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

/// Description of a scheduler; each kind reads its own members and no others.
struct SchedulerConfig {
  SchedulerKind kind = SchedulerKind::dtable;
  // dtable
  ArbitrationTable table;
  unsigned counter_bits = 0;  ///< width of its counters, 1 to 32; 0: as wide as it takes
  // ib_arbiter
  ArbitrationTable high;
  ArbitrationTable low;
  std::uint32_t limit_of_high_priority = 0;
  // strict_priority
  std::vector<ServiceLevel> order;  ///< most urgent first
  // drr
  std::vector<std::uint32_t> quanta;  ///< credits, by SL
  // scfq
  std::vector<std::uint32_t> shares;  ///< by SL
};

/// Violations of the scheduler's rules, one sentence each; empty: make_scheduler() takes it.
std::vector<std::string> scheduler_errors(const SchedulerConfig& config);

/// Bit s: SL s is sent when it stays active. A message of another SL would wait for ever.
std::uint32_t served_levels(const SchedulerConfig& config);

/// Largest message that is ever sent, in credits; nothing: no limit.
std::optional<std::uint32_t> largest_message(const SchedulerConfig& config);

/// Precondition: scheduler_errors(config) is empty; throws std::invalid_argument otherwise.
std::unique_ptr<EgressScheduler> make_scheduler(const SchedulerConfig& config);

}  // namespace weft
