#pragma once
// Parameters of a DRAM with banks and pages, as one pseudo channel of HBM2 has them. All times are clocks of the
// memory. Names of the intervals are those of JEDEC JESD235; docs/optweb_memory.md has the values and where they come
// from.

#include <cstdint>

#include "base/units.h"
#include "base/words.h"

namespace weft {

/// Address bits from the most significant on. row_bank_column: consecutive pages lie in different bank groups;
/// row_column_group: consecutive bursts do; bank_row_column: a bank is one consecutive area.
enum class DramMapping { row_bank_column, row_column_group, bank_row_column };
template <>
inline constexpr auto kWords<DramMapping> = words("row_bank_column", "row_column_group", "bank_row_column");

/// all_bank: all banks at once, the channel stands still; per_bank: one after the other.
enum class DramRefresh { all_bank, per_bank, none };
template <>
inline constexpr auto kWords<DramRefresh> = words("all_bank", "per_bank", "none");

namespace dram {

using Tick = std::int64_t;  ///< clocks of the memory
using Time = std::int64_t;  ///< picoseconds

struct Timing {
  Tick burst = 2;       ///< of the data bus: four transfers at two per clock
  Tick rcd_read = 0;    ///< from activation to a read
  Tick rcd_write = 0;   ///< from activation to a write
  Tick rp = 0;          ///< from precharge to activation
  Tick ras = 0;         ///< from activation to precharge
  Tick ccd_s = 0;       ///< between column commands to different bank groups
  Tick ccd_l = 0;       ///< to the same bank group
  Tick rrd_s = 0;       ///< between activations in different bank groups
  Tick rrd_l = 0;       ///< in the same bank group
  Tick faw = 0;         ///< in which there are at most four activations
  Tick read = 0;        ///< RL: from a read to its data
  Tick write = 0;       ///< WL: from a write to its data
  Tick rtp = 0;         ///< from a read to precharge
  Tick wr = 0;          ///< from the end of written data to precharge
  Tick wtr_s = 0;       ///< from the end of written data to a read in another bank group
  Tick wtr_l = 0;       ///< in the same bank group
  Tick rtw = 0;         ///< from a read to a write
  Tick refi = 0;        ///< between refreshes, of the same bank when it is per bank
  Tick rfc = 0;         ///< length of a refresh of all banks
  Tick rfc_single = 0;  ///< of a single bank
};

struct Config {
  Timing timing;
  Time clock_ps = 0;               ///< a clock
  std::uint32_t groups = 0;        ///< bank groups
  std::uint32_t banks = 0;         ///< of a group
  std::uint64_t page_bytes = 0;    ///< a row of a bank
  std::uint64_t bank_bytes = 0;    ///< capacity of a bank, for mappings with the bank on top
  std::uint32_t burst_bytes = 32;  ///< four transfers of 64 bits
  DramMapping mapping = DramMapping::row_bank_column;
  DramRefresh refresh = DramRefresh::all_bank;
  std::uint32_t batch = 0;  ///< words of a port before another one has its turn
  std::uint32_t fifo = 0;   ///< words that a port has under way or buffered

  std::uint32_t all_banks() const { return groups * banks; }
  /// From the first command to a closed bank to the end of the data that are read.
  Tick closed_read() const { return timing.rcd_read + timing.read + timing.burst; }
  /// First clock that does not begin before a time.
  Tick tick(Time time) const { return time <= 0 ? 0 : (time + clock_ps - 1) / clock_ps; }
};

}  // namespace dram
}  // namespace weft
