#include "cosim/packet/dtable_rtl.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "Vdtable_ib.h"
#include "Vdtable_large.h"
#include "Vdtable_small.h"
#include "cosim/packet/verilated_dtable.h"

namespace weft {
namespace {

/// Bits of counters that never saturate.
std::uint32_t never_full(const DtableRtlSize& size) { return std::max(size.weight_bits, size.size_bits) + 1; }

bool takes(const DtableRtlSize& size, const ArbitrationTable& table, unsigned counter_bits) {
  const bool counters = counter_bits == 0 ? size.counter_bits >= never_full(size) : size.counter_bits == counter_bits;
  return counters && table.size() <= size.entries && std::all_of(table.begin(), table.end(), [&](const TableEntry& e) {
           return e.sl < size.levels && e.weight >> size.weight_bits == 0;
         });
}

}  // namespace

std::optional<DtableRtlSize> compiled_dtable(const ArbitrationTable& table, unsigned counter_bits) {
  for (const DtableRtlSize& size : {kIbDtable, kSmallDtable, kLargeDtable}) {
    if (takes(size, table, counter_bits)) return size;
  }
  return std::nullopt;
}

std::optional<DtableRtlLimit> dtable_rtl_limit(const ArbitrationTable& table, unsigned counter_bits,
                                               std::uint32_t largest_message) {
  if (counter_bits != 0 && counter_bits != kIbDtable.counter_bits) {
    return DtableRtlLimit{DtableRtlLimit::Of::counters, 0,
                          fmt::format("counters of {} bits; the compiled RTL has {} bits, or as many as it takes (0)",
                                      counter_bits, kIbDtable.counter_bits)};
  }
  return dtable_rtl_limit(counter_bits == 0 ? kLargeDtable : kIbDtable, table, counter_bits, largest_message);
}

std::optional<DtableRtlLimit> dtable_rtl_limit(const DtableRtlSize& most, const ArbitrationTable& table,
                                               unsigned counter_bits, std::uint32_t largest_message) {
  using Of = DtableRtlLimit::Of;
  if (counter_bits == 0 ? most.counter_bits < never_full(most) : counter_bits != most.counter_bits) {
    return DtableRtlLimit{
        Of::counters, 0,
        fmt::format("counters of {}; the compiled RTL has {} bits, which {}",
                    counter_bits == 0 ? "unlimited width" : fmt::format("{} bits", counter_bits), most.counter_bits,
                    most.counter_bits < never_full(most) ? "can saturate" : "never saturate")};
  }
  const std::string with = counter_bits == 0 ? "" : fmt::format(" with counters of {} bits", counter_bits);
  if (table.size() > most.entries) {
    return DtableRtlLimit{
        Of::table, 0,
        fmt::format("a table of {} entries; the compiled RTL{} has {}", table.size(), with, most.entries)};
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].sl >= most.levels) {
      return DtableRtlLimit{
          Of::level, i, fmt::format("SL {}; the compiled RTL{} has SLs 0 to {}", table[i].sl, with, most.levels - 1)};
    }
    if (table[i].weight >> most.weight_bits != 0) {
      return DtableRtlLimit{Of::weight, i,
                            fmt::format("weight {}; the compiled RTL{} takes at most {}", table[i].weight, with,
                                        (1U << most.weight_bits) - 1)};
    }
  }
  if (largest_message >> most.size_bits != 0) {
    return DtableRtlLimit{Of::messages, 0,
                          fmt::format("messages of {} credits; the compiled RTL takes at most {}", largest_message,
                                      (1U << most.size_bits) - 1)};
  }
  return std::nullopt;
}

std::unique_ptr<DtableRtl> make_dtable_rtl(VerilatedContext& context, const ArbitrationTable& table,
                                           unsigned counter_bits, const std::string& name) {
  const auto size = compiled_dtable(table, counter_bits);
  if (size == kIbDtable) return std::make_unique<VerilatedDtable<Vdtable_ib, kIbDtable>>(context, table, name);
  if (size == kSmallDtable) return std::make_unique<VerilatedDtable<Vdtable_small, kSmallDtable>>(context, table, name);
  if (size == kLargeDtable) return std::make_unique<VerilatedDtable<Vdtable_large, kLargeDtable>>(context, table, name);
  throw std::invalid_argument("no compiled dtable takes this table; dtable_rtl_limit() says why");
}

}  // namespace weft
