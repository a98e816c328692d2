#pragma once
// SchedulerRtl on top of a Verilated module: what dtable, drr and ib_arbiter have in common, their decision. Included
// only where a Verilated class is at hand.

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>

#include "base/diagnostics.h"
#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/packet/scheduler_rtl.h"

namespace weft {

/// V: Verilated scheduler with these parameters; it answers kLatency cycles after the decision, in which it is asked
/// nothing: they take no time in the network. Owner: as for VerilatedBlock, with its place as a word, kPlace.
template <class Owner, class V, SchedulerRtlSize kSize, unsigned kLatency>
class VerilatedScheduler : public VerilatedBlock<Owner, V, SchedulerRtl> {
 public:
  using Decision = SchedulerRtl::Decision;
  using VerilatedBlock<Owner, V, SchedulerRtl>::VerilatedBlock;

  Decision decide(const EgressView& view) override {
    V& top = this->top();
    top.decide_i = 1;
    set_bits(top.active_i, 0, kSize.levels, view.active & kLevels);
    for (std::uint32_t left = view.active & kLevels; left != 0; left &= left - 1) {
      const auto sl = static_cast<std::size_t>(std::countr_zero(left));
      if (std::uint64_t{view.head[sl]} >> kSize.size_bits != 0) {
        throw RunError(fmt::format("{} RTL: a message of {} credits on SL {}, more than the {} bits of its sizes",
                                   Owner::kPlace, view.head[sl], sl, kSize.size_bits));
      }
      set_bits(top.size_i, sl * kSize.size_bits, kSize.size_bits, view.head[sl]);
    }
    this->low();
    if constexpr (kLatency > 0) {
      this->edge();
      this->wait(kLatency - 1);
      rest(top);
      this->low();
    }
    Decision decision;
    if (top.grant_o != 0) decision.grant = static_cast<ServiceLevel>(top.grant_sl_o);
    if constexpr (requires { top.saturated_o; }) decision.saturated = top.saturated_o != 0;
    return decision;
  }

  void end_cycle() override { this->edge(); }

  /// A cycle in which a message leaves.
  static void rest(V& top) { top.decide_i = 0; }

 protected:
  static constexpr std::uint32_t kLevels = ~std::uint32_t{0} >> (32 - kSize.levels);
  static constexpr std::uint32_t kLevelBits = std::bit_width(kSize.levels - 1U);
  static constexpr std::uint32_t kEntryBits = kSize.entries > 1 ? std::bit_width(kSize.entries - 1U) : 1;
};

}  // namespace weft
