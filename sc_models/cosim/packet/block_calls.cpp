#include "cosim/packet/block_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace weft {
namespace {

std::uint32_t bits_of(std::uint64_t value) { return std::max<std::uint32_t>(1, std::bit_width(value)); }

// The least parameters that do, with the ranges of rtl/packet/dtable.sv, drr.sv and ib_arbiter.sv.
std::optional<SchedulerRtlSize> least_size(const SchedulerConfig& config, std::uint32_t levels,
                                           std::uint32_t largest_message) {
  constexpr std::uint32_t kLeastLevels = 2;
  constexpr std::uint32_t kMostLevels = 32;
  constexpr std::uint32_t kMostEntries[kEgressSchedulers] = {128, 1, 64};  // by egress_scheduler()
  const unsigned kind = egress_scheduler(*config.type);
  if (kind == kEgressSchedulers || levels > kMostLevels) return std::nullopt;
  SchedulerRtlSize size;
  size.levels = std::max(levels, kLeastLevels);
  size.size_bits = bits_of(largest_message);
  std::uint32_t weight = 0;
  std::size_t entries = 1;
  for (const ArbitrationTable* const table : {&config.table, &config.high, &config.low}) {
    entries = std::max(entries, table->size());
    for (const TableEntry& e : *table) weight = std::max(weight, e.weight);
  }
  for (const std::uint32_t quantum : config.quanta) weight = std::max(weight, quantum);
  if (entries > kMostEntries[kind]) return std::nullopt;
  size.entries = static_cast<std::uint32_t>(entries);
  size.weight_bits = kind == 2 ? 8 : bits_of(weight);
  size.counter_bits = kind == 0 && config.counter_bits != 0 ? config.counter_bits : size.never_full();
  if (egress_scheduler_limit(size, config, largest_message)) return std::nullopt;
  return size;
}

}  // namespace

std::string scheduler_block_call(const SchedulerConfig& config, std::uint32_t levels, std::uint32_t largest_message) {
  const auto size = least_size(config, levels, largest_message);
  if (!size) return "";
  const unsigned kind = egress_scheduler(*config.type);
  std::string parameters = fmt::format("NumSl={}", size->levels);
  if (kind != 1) parameters += fmt::format(" NumEntries={}", size->entries);
  if (kind != 2) parameters += fmt::format(" WeightW={}", size->weight_bits);
  parameters += fmt::format(" SizeW={}", size->size_bits);
  if (kind != 2) parameters += fmt::format(" CountW={}", size->counter_bits);
  return fmt::format("weft_add_block(scheduler PLACE {} PARAMETERS {})", config.type->name, parameters);
}

// Ranges: rtl/packet/egress_port.sv.
std::string egress_port_block_call(const EgressPortNeed& to_switch, const EgressPortNeed& to_node,
                                   std::uint32_t levels) {
  const EgressPortNeed& need = to_switch;
  const auto scheduler = least_size(need.scheduler, levels, need.largest_message);
  if (!scheduler || scheduler->size_bits > 16) return "";
  EgressPortRtlSize size;
  size.scheduler = *scheduler;
  size.lanes = need.lanes;
  size.depth = std::max({need.output.capacity, need.rate, 2U});
  size.next_depth = std::max(to_switch.next.capacity, to_node.next.capacity);
  size.rate = need.rate;
  size.output = static_cast<std::uint32_t>(need.output_stage);
  if (size.lanes > 16 || size.depth > 256 || size.next_depth > 65535 || size.rate > 4) return "";
  if (need.output_stage < 1 || need.output_stage > 16) return "";
  for (const EgressPortNeed* const n : {&to_switch, &to_node}) {
    if (!egress_port_rtl_limits(size, *n).empty()) return "";
  }
  return fmt::format(
      "weft_add_block(egress PLACE egress_port PARAMETERS Scheduler={} NumSl={} NumVl={} NumEntries={} WeightW={} "
      "SizeW={} CountW={} Depth={} NextDepth={} Rate={} Output={} Width=32)",
      egress_scheduler(*need.scheduler.type), size.scheduler.levels, size.lanes, size.scheduler.entries,
      size.scheduler.weight_bits, size.scheduler.size_bits, size.scheduler.counter_bits, size.depth, size.next_depth,
      size.rate, size.output);
}

}  // namespace weft
