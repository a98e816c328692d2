#include "algorithms/qos/table_bounds.h"

#include <algorithm>

namespace weft {
namespace {

// Longest wait of `sl` from its entry at `begin` to its next one.
std::uint64_t gap_wait(const ArbitrationTable& table, std::span<const std::uint32_t> mtus, std::size_t begin) {
  const ServiceLevel sl = table[begin].sl;
  std::uint64_t credits = 0;
  std::uint32_t seen = 0;
  for (std::size_t i = 1; i <= table.size(); ++i) {
    const TableEntry& entry = table[(begin + i) % table.size()];
    if (entry.weight == 0) continue;
    if (entry.sl == sl) break;
    credits += entry.weight;
    if ((seen >> entry.sl & 1U) == 0) credits += mtus[entry.sl] - 1;
    seen |= 1U << entry.sl;
  }
  return credits;
}

}  // namespace

std::vector<std::uint64_t> wait_bounds(const ArbitrationTable& table, std::span<const std::uint32_t> mtus) {
  std::vector<std::uint64_t> waits(mtus.size(), 0);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].weight == 0) continue;
    std::uint64_t& wait = waits[table[i].sl];
    wait = std::max(wait, gap_wait(table, mtus, i));
  }
  return waits;
}

}  // namespace weft
