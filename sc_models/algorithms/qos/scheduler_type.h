#pragma once
// Type of egress scheduler as one record: its word and meaning, what it is made from, and how it is made. The records
// stand in algorithms/qos/scheduler_factory.h; docs/qos_schedulers.md says what each scheduler does.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"

namespace weft {

struct SchedulerType;
extern const SchedulerType kDtableScheduler;

/// What a scheduler is made from; each type reads its own members and no others.
struct SchedulerConfig {
  const SchedulerType* type = &kDtableScheduler;
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

struct SchedulerType {
  std::string_view name;            ///< word of qos.scheduler
  std::string_view meaning;         ///< for descriptions
  std::string_view level_key = {};  ///< key of service levels that it alone reads
  bool needs_level_key = false;     ///< every level must have it

  std::unique_ptr<EgressScheduler> (*make)(const SchedulerConfig& config) = nullptr;
  /// Adds what its rules do not allow, one sentence each.
  void (*check)(const SchedulerConfig& config, std::vector<std::string>& errors) = nullptr;
  /// Bit s: SL s is sent when it stays active; null: all are.
  std::uint32_t (*served)(const SchedulerConfig& config) = nullptr;
  /// Largest message that is ever sent, in credits; null: no limit.
  std::optional<std::uint32_t> (*largest)(const SchedulerConfig& config) = nullptr;
  /// Decision steps that may pass before a message of an SL is covered, 0 if it is never sent; null: one.
  std::uint64_t (*steps)(const SchedulerConfig& config, ServiceLevel sl, std::uint32_t message) = nullptr;
};

/// SLs that a table has an entry of positive weight for, as bits.
inline std::uint32_t levels_in(const ArbitrationTable& table) {
  std::uint32_t set = 0;
  for (const TableEntry& e : table) {
    if (e.weight > 0 && e.sl < kMaxServiceLevels) set |= 1U << e.sl;
  }
  return set;
}

/// SLs with a positive value.
inline std::uint32_t levels_with(const std::vector<std::uint32_t>& values) {
  std::uint32_t set = 0;
  for (std::size_t sl = 0; sl < values.size() && sl < kMaxServiceLevels; ++sl) {
    if (values[sl] > 0) set |= 1U << sl;
  }
  return set;
}

/// Adds an error for an SL that does not exist: "table entry 3 names SL 40; ...".
void check_level(std::vector<std::string>& errors, std::string_view what, std::size_t index, ServiceLevel sl);
/// The same for the entries of a table.
void check_table(std::vector<std::string>& errors, std::string_view what, const ArbitrationTable& table);
/// Adds an error for more values than there are SLs.
void check_count(std::vector<std::string>& errors, std::string_view what, std::size_t count);

}  // namespace weft
