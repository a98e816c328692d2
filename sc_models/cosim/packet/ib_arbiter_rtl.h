#pragma once
// rtl/packet/ib_arbiter.sv as the RTL of an egress scheduler: compiled sizes and limits.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cosim/packet/scheduler_rtl.h"

namespace weft {

/// Parameters NumSl, NumEntries, SizeW; weights have 8 bits.
using IbArbiterRtlSize = SchedulerRtlSize;

// Compiled sizes of rtl/packet/ib_arbiter.sv: 16 SLs and 32 SLs, both with 64 entries in each table, the most that
// InfiniBand has, and sizes of 16 bits.

inline constexpr IbArbiterRtlSize kSmallIbArbiter{16, 64, 8, 16, 0};
inline constexpr IbArbiterRtlSize kLargeIbArbiter{32, 64, 8, 16, 0};

/// The compiled size that takes these tables, if one does.
std::optional<IbArbiterRtlSize> compiled_ib_arbiter(const ArbitrationTable& high, const ArbitrationTable& low);

/// Nothing when the Verilated block of this size can stand for such a scheduler. `largest_message`: credits.
std::optional<SchedulerRtlLimit> ib_arbiter_rtl_limit(const IbArbiterRtlSize& size, const ArbitrationTable& high,
                                                      const ArbitrationTable& low, std::uint32_t largest_message);

/// The block after reset with these tables written. Precondition: compiled_ib_arbiter() has a size. `name`: scope in
/// waves.
std::unique_ptr<SchedulerRtl> make_ib_arbiter_rtl(VerilatedContext& context, const ArbitrationTable& high,
                                                  const ArbitrationTable& low, std::uint32_t limit_of_high_priority,
                                                  const std::string& name);

/// Weft's own block.
SchedulerBlock ib_arbiter_block();
extern const SchedulerRtlKind kIbArbiterRtl;

}  // namespace weft
