#pragma once
// rtl/packet/drr.sv as the RTL of an egress scheduler: compiled sizes and limits.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/packet/scheduler_rtl.h"

namespace weft {

/// Parameters NumSl, WeightW, SizeW, CountW; quanta have the bits of weights.
using DrrRtlSize = SchedulerRtlSize;

// Compiled sizes of rtl/packet/drr.sv: 16 SLs and 32 SLs, both with quanta and sizes of 16 bits and counters that never
// saturate.

inline constexpr DrrRtlSize kSmallDrr{16, 0, 16, 16, 17};
inline constexpr DrrRtlSize kLargeDrr{32, 0, 16, 16, 17};

/// The compiled size that takes these quanta, by SL, if one does.
std::optional<DrrRtlSize> compiled_drr(const std::vector<std::uint32_t>& quanta);

/// Nothing when the Verilated block of this size can stand for such a scheduler. The counters of the model do not
/// saturate, so those of the block must hold the largest quantum and what may be left of a turn before.
/// `largest_message`: credits.
std::optional<SchedulerRtlLimit> drr_rtl_limit(const DrrRtlSize& size, const std::vector<std::uint32_t>& quanta,
                                               std::uint32_t largest_message);
/// The same for the compiled sizes.
std::optional<SchedulerRtlLimit> drr_rtl_limit(const std::vector<std::uint32_t>& quanta, std::uint32_t largest_message);

/// The block after reset with these quanta written. Precondition: compiled_drr() has a size. `name`: scope in waves.
std::unique_ptr<SchedulerRtl> make_drr_rtl(VerilatedContext& context, const std::vector<std::uint32_t>& quanta,
                                           const std::string& name);

/// Weft's own block.
SchedulerBlock drr_block();
extern const SchedulerRtlKind kDrrRtl;

}  // namespace weft
