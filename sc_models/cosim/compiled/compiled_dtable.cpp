#include <fmt/format.h>

#include <stdexcept>

#include "Vdtable_ib.h"
#include "Vdtable_large.h"
#include "Vdtable_small.h"
#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/verilated_dtable.h"

namespace weft {

std::optional<DtableRtlSize> compiled_dtable(const ArbitrationTable& table, unsigned counter_bits) {
  for (const DtableRtlSize& size : {kIbDtable, kSmallDtable, kLargeDtable}) {
    if (!dtable_rtl_limit(size, table, counter_bits, 0)) return size;
  }
  return std::nullopt;
}

std::optional<SchedulerRtlLimit> dtable_rtl_limit(const ArbitrationTable& table, unsigned counter_bits,
                                                  std::uint32_t largest_message) {
  if (counter_bits != 0 && counter_bits != kIbDtable.counter_bits) {
    return SchedulerRtlLimit{
        SchedulerRtlLimit::Of::counters, 0,
        fmt::format("counters of {} bits; the compiled RTL has {} bits, or as many as it takes (0)", counter_bits,
                    kIbDtable.counter_bits)};
  }
  return dtable_rtl_limit(counter_bits == 0 ? kLargeDtable : kIbDtable, table, counter_bits, largest_message);
}

std::optional<SchedulerRtlLimit> dtable_rtl_limit(const DtableRtlSize& most, const ArbitrationTable& table,
                                                  unsigned counter_bits, std::uint32_t largest_message) {
  if (counter_bits == 0 ? most.counter_bits < most.never_full() : counter_bits != most.counter_bits) {
    return SchedulerRtlLimit{
        SchedulerRtlLimit::Of::counters, 0,
        fmt::format("counters of {}; the compiled RTL has {} bits, which {}",
                    counter_bits == 0 ? "unlimited width" : fmt::format("{} bits", counter_bits), most.counter_bits,
                    most.counter_bits < most.never_full() ? "can saturate" : "never saturate")};
  }
  const std::string with = counter_bits == 0 ? "" : fmt::format(" with counters of {} bits", counter_bits);
  if (auto limit = table_rtl_limit(most, table, with)) return limit;
  return message_rtl_limit(most, largest_message);
}

std::unique_ptr<SchedulerRtl> make_dtable_rtl(VerilatedContext& context, const ArbitrationTable& table,
                                              unsigned counter_bits, const std::string& name) {
  const auto size = compiled_dtable(table, counter_bits);
  if (size == kIbDtable) return std::make_unique<VerilatedDtable<Vdtable_ib, kIbDtable>>(context, table, name);
  if (size == kSmallDtable) return std::make_unique<VerilatedDtable<Vdtable_small, kSmallDtable>>(context, table, name);
  if (size == kLargeDtable) return std::make_unique<VerilatedDtable<Vdtable_large, kLargeDtable>>(context, table, name);
  throw std::invalid_argument("no compiled dtable takes this table; dtable_rtl_limit() says why");
}

}  // namespace weft
