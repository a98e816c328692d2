#pragma once
// rtl/packet/dtable.sv as the RTL of an egress scheduler: compiled sizes and limits.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cosim/packet/scheduler_rtl.h"

namespace weft {

/// Parameters NumSl, NumEntries, WeightW, SizeW, CountW.
using DtableRtlSize = SchedulerRtlSize;

// Compiled sizes of rtl/packet/dtable.sv: 16 SLs and 64 entries, 32 SLs and 128 entries, both with weights and sizes of
// 16 bits and counters that never saturate; and 16 SLs and 64 entries with weights and counters of 8 bits, as in
// InfiniBand's tables.

inline constexpr DtableRtlSize kSmallDtable{16, 64, 16, 16, 17};
inline constexpr DtableRtlSize kLargeDtable{32, 128, 16, 16, 17};
inline constexpr DtableRtlSize kIbDtable{16, 64, 8, 16, 8};

/// The compiled size that takes a table whose counters have `counter_bits` (0: as wide as it takes), if one does.
std::optional<DtableRtlSize> compiled_dtable(const ArbitrationTable& table, unsigned counter_bits);

/// Nothing when the Verilated block of this size can stand for such a scheduler. `largest_message`: credits.
/// `counter_bits`: of the counters, 0: as wide as it takes.
std::optional<SchedulerRtlLimit> dtable_rtl_limit(const DtableRtlSize& size, const ArbitrationTable& table,
                                                  unsigned counter_bits, std::uint32_t largest_message);
/// The same for the compiled sizes.
std::optional<SchedulerRtlLimit> dtable_rtl_limit(const ArbitrationTable& table, unsigned counter_bits,
                                                  std::uint32_t largest_message);

/// The block after reset with this table written. Precondition: compiled_dtable() has a size. `name`: scope in waves.
std::unique_ptr<SchedulerRtl> make_dtable_rtl(VerilatedContext& context, const ArbitrationTable& table,
                                              unsigned counter_bits, const std::string& name);

/// Weft's own block.
SchedulerBlock dtable_block();
extern const SchedulerRtlKind kDtableRtl;

}  // namespace weft
