#include "algorithms/qos/scheduler_factory.h"

#include <fmt/format.h>

#include <stdexcept>

#include "algorithms/qos/deficit_table.h"
#include "algorithms/qos/ib_arbiter.h"
#include "algorithms/qos/schedulers.h"

namespace weft {

SchedulerTypes& scheduler_types() {
  static SchedulerTypes table{
      &kDtableScheduler,         &kIbArbiterScheduler, &kRoundRobinScheduler,
      &kStrictPriorityScheduler, &kDrrScheduler,       &kScfqScheduler,
  };
  return table;
}

void check_level(std::vector<std::string>& errors, std::string_view what, std::size_t index, ServiceLevel sl) {
  if (sl < kMaxServiceLevels) return;
  errors.push_back(fmt::format("{} {} names SL {}; SLs are 0 to {}", what, index, sl, kMaxServiceLevels - 1));
}

void check_table(std::vector<std::string>& errors, std::string_view what, const ArbitrationTable& table) {
  for (std::size_t i = 0; i < table.size(); ++i) check_level(errors, what, i, table[i].sl);
}

void check_count(std::vector<std::string>& errors, std::string_view what, std::size_t count) {
  if (count <= kMaxServiceLevels) return;
  errors.push_back(fmt::format("{} {}; there are at most {} SLs", count, what, kMaxServiceLevels));
}

std::vector<std::string> scheduler_errors(const SchedulerConfig& config) {
  std::vector<std::string> errors;
  if (config.type->check != nullptr) config.type->check(config, errors);
  return errors;
}

std::uint32_t served_levels(const SchedulerConfig& config) {
  return config.type->served == nullptr ? ~std::uint32_t{0} : config.type->served(config);
}

std::optional<std::uint32_t> largest_message(const SchedulerConfig& config) {
  return config.type->largest == nullptr ? std::nullopt : config.type->largest(config);
}

std::unique_ptr<EgressScheduler> make_scheduler(const SchedulerConfig& config) {
  const std::vector<std::string> errors = scheduler_errors(config);
  if (!errors.empty()) throw std::invalid_argument(errors.front());
  return config.type->make(config);
}

}  // namespace weft
