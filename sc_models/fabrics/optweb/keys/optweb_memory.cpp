#include "fabrics/optweb/keys/optweb_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "schema/schema_types.h"

namespace weft {
namespace {

constexpr DataSize kLeastCapacity{8};
constexpr DataSize kMostCapacity{8LL << 42};  // 4 TiB
constexpr Rate kSlowestInterface{1'000'000'000};
constexpr Rate kFastestInterface{100'000'000'000'000};
constexpr Duration kNoInterval{0};
constexpr Duration kLongestInterval{1'000'000};   // 1 us
constexpr Duration kLongestRefresh{100'000'000};  // 100 us
constexpr DataSize kLeastPage{8 * 64};
constexpr DataSize kMostPage{8 * 65536};

struct Interval {
  const char* key;
  Given<Duration> RawHbm2::*raw;
  dram::Tick dram::Timing::*ticks;
  const char* by_default;
  Duration most;
  const char* meaning;
};

// Names of JEDEC JESD235, in lower case.
constexpr Interval kIntervals[] = {
    {"trcd_read", &RawHbm2::trcd_read, &dram::Timing::rcd_read, "12ns", kLongestInterval,
     "tRCD of reads: from activation to a read."},
    {"trcd_write", &RawHbm2::trcd_write, &dram::Timing::rcd_write, "6ns", kLongestInterval,
     "tRCD of writes: from activation to a write."},
    {"trp", &RawHbm2::trp, &dram::Timing::rp, "14ns", kLongestInterval, "From precharge to activation."},
    {"tras", &RawHbm2::tras, &dram::Timing::ras, "28ns", kLongestInterval, "From activation to precharge."},
    {"trrd_s", &RawHbm2::trrd_s, &dram::Timing::rrd_s, "4ns", kLongestInterval,
     "Between activations in different bank groups."},
    {"trrd_l", &RawHbm2::trrd_l, &dram::Timing::rrd_l, "6ns", kLongestInterval,
     "Between activations in the same bank group."},
    {"tfaw", &RawHbm2::tfaw, &dram::Timing::faw, "16ns", kLongestInterval, "Window of at most four activations."},
    {"read_latency", &RawHbm2::read_latency, &dram::Timing::read, "17ns", kLongestInterval,
     "RL: from a read to its data."},
    {"write_latency", &RawHbm2::write_latency, &dram::Timing::write, "7ns", kLongestInterval,
     "WL: from a write to its data."},
    {"trtp", &RawHbm2::trtp, &dram::Timing::rtp, "5ns", kLongestInterval, "From a read to precharge."},
    {"twr", &RawHbm2::twr, &dram::Timing::wr, "14ns", kLongestInterval, "From the end of written data to precharge."},
    {"twtr_s", &RawHbm2::twtr_s, &dram::Timing::wtr_s, "4ns", kLongestInterval,
     "From the end of written data to a read in another bank group."},
    {"twtr_l", &RawHbm2::twtr_l, &dram::Timing::wtr_l, "9ns", kLongestInterval,
     "From the end of written data to a read in the same bank group."},
    {"trtw", &RawHbm2::trtw, &dram::Timing::rtw, "18ns", kLongestInterval, "From a read to a write, commands both."},
    {"trefi", &RawHbm2::trefi, &dram::Timing::refi, "3900ns", kLongestRefresh,
     "Between refreshes, of the same bank with refresh: per_bank."},
    {"trfc", &RawHbm2::trfc, &dram::Timing::rfc, "260ns", kLongestRefresh, "Length of a refresh of all banks."},
    {"trfc_single", &RawHbm2::trfc_single, &dram::Timing::rfc_single, "96ns", kLongestRefresh,
     "Length of a refresh of a single bank."},
};

Section<RawHbm2> hbm2_section() {
  Section<RawHbm2> s("hbm2",
                     "model: hbm2: a pseudo channel of 64 bits behind each interface, bursts of four transfers (32 "
                     "bytes, a word). Intervals are rounded up to its clock.");
  s.key("clock", &RawHbm2::clock, clock_type(), by_default("800MHz"),
        "Clock of the memory, with two transfers each; bandwidth of a pseudo channel: 128 bits per clock.");
  s.key("bank_groups", &RawHbm2::bank_groups, whole<std::uint32_t>(1, 16), by_default("4"), "Of a pseudo channel.");
  s.key("banks", &RawHbm2::banks, whole<std::uint32_t>(1, 16), by_default("4"), "Banks of a bank group.");
  s.key("page", &RawHbm2::page, data_size_type(kLeastPage, kMostPage), by_default("1KiB"), "Row of a bank.");
  s.key("mapping", &RawHbm2::mapping, choice<DramMapping>(), by_default("row_bank_column"),
        "Address bits from the most significant on. row_bank_column: consecutive pages lie in different bank groups; "
        "row_column_group: consecutive bursts do; bank_row_column: a bank is one consecutive area.");
  s.key("refresh", &RawHbm2::refresh, choice<DramRefresh>(), by_default("all_bank"),
        "all_bank: all banks every tREFI, the pseudo channel stands still; per_bank: one bank after the other; none.");
  s.key("fifo", &RawHbm2::fifo, whole<std::uint32_t>(1, 4096), by_default("128"),
        "Words of a stream that are under way or buffered between DMAC and memory.");
  s.key("batch", &RawHbm2::batch, whole<std::uint32_t>(1, 4096), by_default("16"),
        "Words of a stream that the controller serves before another one has its turn.");
  s.key("tccd_s", &RawHbm2::tccd_s, whole<std::uint32_t>(2, 64), by_default("2"),
        "Clocks between column commands to different bank groups.");
  s.key("tccd_l", &RawHbm2::tccd_l, whole<std::uint32_t>(2, 64), by_default("3"),
        "Clocks between column commands to the same bank group.");
  for (const Interval& i : kIntervals) {
    s.key(i.key, i.raw, duration_type(kNoInterval, i.most), by_default(i.by_default), i.meaning);
  }
  return s;
}

}  // namespace

Section<RawOptwebMemory> memory_section() {
  Section<RawOptwebMemory> s("memory", "HBM2 of a node: memory I/Os of two interfaces (pseudo channels) each.");
  s.key("model", &RawOptwebMemory::model, choice<OptwebMemoryModel>(), by_default("rate"),
        "rate: an interface moves words at its rate; hbm2: banks, pages, refresh and turns of the data bus behind it.");
  s.key("capacity", &RawOptwebMemory::capacity, data_size_type(kLeastCapacity, kMostCapacity), by_default("8GiB"),
        "All of it; every interface has the same part (K), at most 2GiB.");
  s.key("interfaces", &RawOptwebMemory::interfaces, whole<std::uint32_t>(2, 256), by_default("32"),
        "Memory interfaces, an even number: two of them per link of a node and two for the node itself are needed.");
  s.key("rate", &RawOptwebMemory::rate, rate_type(kSlowestInterface, kFastestInterface), optional("a word per cycle"),
        "Of an interface, reading and writing together; at most a word per cycle.");
  s.key("read", &RawOptwebMemory::read, cycle_span_type(1), by_default("50cycles"),
        "From a read request to the first word at the DMAC.");
  s.key("write", &RawOptwebMemory::write, cycle_span_type(1), by_default("8cycles"),
        "From a word at the memory interface to the acknowledgement that a fence waits for.");
  s.section("hbm2", &RawOptwebMemory::hbm2, hbm2_section());
  return s;
}

std::optional<dram::Config> resolve_hbm2(const RawOptwebMemory& memory, const OptwebConfig& config,
                                         Diagnostics& diagnostics) {
  const Given<RawHbm2>& raw = memory.hbm2;
  if (!memory.model.valid) return std::nullopt;
  if (memory.model.value == OptwebMemoryModel::rate) {
    if (raw.given) diagnostics.error(raw.key_where, "memory.hbm2: has no effect with model: rate; for model: hbm2");
    return std::nullopt;
  }
  const RawHbm2& h = raw.value;
  const std::size_t before = diagnostics.errors();
  const auto error = [&](const Given<Duration>& key, const std::string& message) {
    diagnostics.error(key.given ? key.where : memory.model.where, message);
  };
  const bool valid =
      h.clock.valid && h.page.valid && h.bank_groups.valid && h.banks.valid && h.tccd_s.valid && h.tccd_l.valid &&
      h.fifo.valid && h.batch.valid && h.mapping.valid && h.refresh.valid &&
      std::all_of(std::begin(kIntervals), std::end(kIntervals), [&](const Interval& i) { return (h.*i.raw).valid; });
  if (!valid) return std::nullopt;
  dram::Config out;
  out.clock_ps = period_of(h.clock.value).value->ps;
  out.groups = h.bank_groups.value;
  out.banks = h.banks.value;
  out.page_bytes = static_cast<std::uint64_t>(h.page.value.bits) / 8;
  out.mapping = h.mapping.value;
  out.refresh = h.refresh.value;
  out.fifo = h.fifo.value;
  out.batch = h.batch.value;
  for (const Interval& i : kIntervals) {
    out.timing.*i.ticks = (std::max<std::int64_t>(0, (h.*i.raw).value.ps) + out.clock_ps - 1) / out.clock_ps;
  }
  out.timing.ccd_s = h.tccd_s.value;
  out.timing.ccd_l = std::max(h.tccd_l.value, h.tccd_s.value);
  if (config.word_bytes != out.burst_bytes) {
    diagnostics.error(memory.model.where,
                      fmt::format("memory.model: hbm2 moves a word in a burst of {} bytes, the word has {}; use word: "
                                  "{}B, or model: rate",
                                  out.burst_bytes, config.word_bytes, out.burst_bytes));
  }
  if (h.tccd_l.value < h.tccd_s.value) {
    diagnostics.error(
        h.tccd_l.given ? h.tccd_l.where : h.tccd_s.where,
        fmt::format("memory.hbm2.tccd_l: expected at least tccd_s ({}), got '{}'", h.tccd_s.value, h.tccd_l.value));
  }
  if (out.page_bytes % out.burst_bytes != 0) {
    diagnostics.error(h.page.where, fmt::format("memory.hbm2.page: expected whole bursts of {} bytes, got '{}'",
                                                out.burst_bytes, to_string(h.page.value)));
  }
  const std::uint64_t rows = out.page_bytes * out.all_banks();
  if (config.interface_bytes > 0 && diagnostics.errors() == before && config.interface_bytes % rows != 0) {
    diagnostics.error(memory.model.where,
                      fmt::format("memory.model: an interface of {}B is not whole rows of {} banks with pages of {}; "
                                  "change memory.capacity, or banks, bank_groups or page",
                                  config.interface_bytes, out.all_banks(), to_string(h.page.value)));
  }
  out.bank_bytes = config.interface_bytes / out.all_banks();
  if (out.refresh != DramRefresh::none) {
    const bool all = out.refresh == DramRefresh::all_bank;
    const Given<Duration>& length = all ? h.trfc : h.trfc_single;
    const dram::Tick least = 2 * ((all ? out.timing.rfc : out.timing.rfc_single) + out.timing.rp + out.timing.ras);
    if (out.timing.refi < least) {
      error(h.trefi.given ? h.trefi : length,
            fmt::format("memory.hbm2.trefi: expected at least {} ({} clocks), twice what a refresh takes, got '{}'",
                        to_string(Duration{least * out.clock_ps}), least, to_string(h.trefi.value)));
    }
  } else if (out.timing.refi < 1) {
    error(h.trefi, "memory.hbm2.trefi: expected more than 0ns, got '0ns'");
  }
  const Duration read{config.latencies.read * config.period.ps};
  const Duration closed{out.closed_read() * out.clock_ps};
  if (memory.read.valid && read < closed) {
    diagnostics.error(memory.read.given ? memory.read.where : memory.model.where,
                      fmt::format("memory.read: expected at least {}, in which HBM2 reads from a closed bank, got '{}'",
                                  to_string(closed), to_string(read)));
  }
  if (diagnostics.errors() > before) return std::nullopt;
  return out;
}

}  // namespace weft
