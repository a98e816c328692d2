#include "cosim/packet/scheduler_rtl.h"

#include <fmt/format.h>

namespace weft {

std::optional<SchedulerRtlLimit> message_rtl_limit(const SchedulerRtlSize& size, std::uint32_t largest_message) {
  if (std::uint64_t{largest_message} >> size.size_bits == 0) return std::nullopt;
  return SchedulerRtlLimit{SchedulerRtlLimit::Of::messages, 0,
                           fmt::format("messages of {} credits; the compiled RTL takes at most {}", largest_message,
                                       (std::uint64_t{1} << size.size_bits) - 1)};
}

std::optional<SchedulerRtlLimit> table_rtl_limit(const SchedulerRtlSize& size, const ArbitrationTable& table,
                                                 const std::string& with) {
  using Of = SchedulerRtlLimit::Of;
  if (table.size() > size.entries) {
    return SchedulerRtlLimit{
        Of::table, 0,
        fmt::format("a table of {} entries; the compiled RTL{} has {}", table.size(), with, size.entries)};
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].sl >= size.levels) {
      return SchedulerRtlLimit{
          Of::level, i, fmt::format("SL {}; the compiled RTL{} has SLs 0 to {}", table[i].sl, with, size.levels - 1)};
    }
    if (std::uint64_t{table[i].weight} >> size.weight_bits != 0) {
      return SchedulerRtlLimit{Of::weight, i,
                               fmt::format("weight {}; the compiled RTL{} takes at most {}", table[i].weight, with,
                                           (std::uint64_t{1} << size.weight_bits) - 1)};
    }
  }
  return std::nullopt;
}

}  // namespace weft
