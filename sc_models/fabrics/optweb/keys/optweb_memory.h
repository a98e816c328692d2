#pragma once
// Keys of the memory of an OPTWEB node: its interfaces, and HBM2 behind them (algorithms/dram/dram_config.h).

#include <cstdint>
#include <optional>

#include "algorithms/dram/dram_config.h"
#include "algorithms/optweb/optweb_config.h"
#include "base/diagnostics.h"
#include "base/units.h"
#include "schema/schema.h"

namespace weft {

struct RawHbm2 {
  Given<Frequency> clock;
  Given<std::uint32_t> bank_groups;
  Given<std::uint32_t> banks;
  Given<DataSize> page;
  Given<DramMapping> mapping;
  Given<DramRefresh> refresh;
  Given<std::uint32_t> fifo;
  Given<std::uint32_t> batch;
  Given<std::uint32_t> tccd_s;
  Given<std::uint32_t> tccd_l;
  Given<Duration> trcd_read;
  Given<Duration> trcd_write;
  Given<Duration> trp;
  Given<Duration> tras;
  Given<Duration> trrd_s;
  Given<Duration> trrd_l;
  Given<Duration> tfaw;
  Given<Duration> read_latency;
  Given<Duration> write_latency;
  Given<Duration> trtp;
  Given<Duration> twr;
  Given<Duration> twtr_s;
  Given<Duration> twtr_l;
  Given<Duration> trtw;
  Given<Duration> trefi;
  Given<Duration> trfc;
  Given<Duration> trfc_single;
};

struct RawOptwebMemory {
  Given<OptwebMemoryModel> model;
  Given<DataSize> capacity;
  Given<std::uint32_t> interfaces;
  Given<Rate> rate;
  Given<CycleSpan> read;
  Given<CycleSpan> write;
  Given<RawHbm2> hbm2;
};

Section<RawOptwebMemory> memory_section();
/// `config`: period, word, interfaces and latencies are resolved. None when the memory is its interfaces alone, or has
/// errors.
std::optional<dram::Config> resolve_hbm2(const RawOptwebMemory& memory, const OptwebConfig& config,
                                         Diagnostics& diagnostics);

}  // namespace weft
