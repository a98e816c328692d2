#pragma once
// DtableRtl on top of one Verilated size of dtable. Included only where a Verilated class is at hand.

#include <fmt/format.h>

#include <bit>
#include <string>
#include <tuple>

#include "base/diagnostics.h"
#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/packet/dtable_rtl.h"

namespace weft {

/// V: Verilated dtable with these parameters; it answers kLatency cycles after the decision, in which it is asked
/// nothing: they take no time in the network.
template <class V, DtableRtlSize kSize, unsigned kLatency = 0>
class VerilatedDtable final : public VerilatedBlock<VerilatedDtable<V, kSize, kLatency>, V, DtableRtl> {
  using Block = VerilatedBlock<VerilatedDtable, V, DtableRtl>;
  friend Block;

 public:
  using Decision = DtableRtl::Decision;

  /// Precondition: the table has at most kSize.entries entries.
  VerilatedDtable(VerilatedContext& context, const ArbitrationTable& table, const std::string& name)
      : Block(context, name), table_(table) {
    prepare(this->top());
  }

  Decision decide(const EgressView& view) override {
    V& top = this->top();
    top.decide_i = 1;
    set_bits(top.active_i, 0, kSize.levels, view.active & kLevels);
    for (std::uint32_t left = view.active & kLevels; left != 0; left &= left - 1) {
      const auto sl = static_cast<std::size_t>(std::countr_zero(left));
      if (view.head[sl] >> kSize.size_bits != 0) {
        throw RunError(fmt::format("dtable RTL: a message of {} credits on SL {}, more than the {} bits of its sizes",
                                   view.head[sl], sl, kSize.size_bits));
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
    decision.saturated = top.saturated_o != 0;
    return decision;
  }

  void end_cycle() override { this->edge(); }

  static auto inputs(V& top) {
    return std::tie(top.cfg_we_i, top.cfg_index_i, top.cfg_sl_i, top.cfg_weight_i, top.decide_i, top.active_i,
                    top.size_i);
  }
  static auto outputs(V& top) { return std::tie(top.grant_o, top.grant_sl_o, top.saturated_o); }
  static constexpr std::uint32_t kLevelBits = std::bit_width(kSize.levels - 1U);
  static constexpr std::uint32_t kWidths[] = {1,
                                              kSize.entries > 1 ? std::bit_width(kSize.entries - 1U) : 1,
                                              kLevelBits,
                                              kSize.weight_bits,
                                              1,
                                              kSize.levels,
                                              kSize.levels* kSize.size_bits,
                                              1,
                                              kLevelBits,
                                              1};
  /// A cycle in which a message leaves.
  static void rest(V& top) { top.decide_i = 0; }

 private:
  static constexpr std::uint32_t kLevels = ~std::uint32_t{0} >> (32 - kSize.levels);

  /// Writes the table.
  void prepare(V& top) {
    top.cfg_we_i = 1;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      top.cfg_index_i = static_cast<CData>(i);
      top.cfg_sl_i = static_cast<CData>(table_[i].sl);
      top.cfg_weight_i = static_cast<decltype(top.cfg_weight_i + 0)>(table_[i].weight);
      this->tick(top);
    }
    top.cfg_we_i = 0;
  }

  ArbitrationTable table_;
};

/// A Verilated module as a block to register. `module`: its top module.
template <class V, DtableRtlSize kSize, unsigned kLatency = 0>
DtableBlock verilated_dtable(const std::string& module) {
  return {module, kSize,
          [](const ArbitrationTable& table, unsigned counter_bits, std::uint32_t largest_message) {
            return dtable_rtl_limit(kSize, table, counter_bits, largest_message);
          },
          [](VerilatedContext& context, const ArbitrationTable& table, unsigned, const std::string& name) {
            return std::make_unique<VerilatedDtable<V, kSize, kLatency>>(context, table, name);
          }};
}

}  // namespace weft
