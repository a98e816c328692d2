#pragma once
// DtableRtl on top of one Verilated size of dtable. Included only where a Verilated class is at hand.

#include <fmt/format.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <bit>
#include <string>

#include "base/diagnostics.h"
#include "cosim/bits.h"
#include "cosim/dtable_block.h"

namespace weft {

/// V: Verilated dtable with these parameters.
template <class V, DtableRtlSize kSize>
class VerilatedDtable final : public DtableRtl {
 public:
  /// Precondition: the table has at most kSize.entries entries.
  VerilatedDtable(VerilatedContext& context, const ArbitrationTable& table, const std::string& name)
      : top_(&context, wave_scopes(name).c_str()) {
    top_.rst_ni = 0;
    for (int i = 0; i < 2; ++i) clock();
    top_.rst_ni = 1;
    top_.cfg_we_i = 1;
    for (std::size_t i = 0; i < table.size(); ++i) {
      top_.cfg_index_i = static_cast<CData>(i);
      top_.cfg_sl_i = static_cast<CData>(table[i].sl);
      top_.cfg_weight_i = static_cast<decltype(top_.cfg_weight_i + 0)>(table[i].weight);
      clock();
    }
    top_.cfg_we_i = 0;
    clock_low();
  }
  ~VerilatedDtable() override { top_.final(); }

  Decision decide(const EgressView& view) override {
    top_.clk_i = 0;
    top_.decide_i = 1;
    set_active(view.active & kLevels);
    for (std::uint32_t left = view.active & kLevels; left != 0; left &= left - 1) {
      const auto sl = static_cast<std::size_t>(std::countr_zero(left));
      if (view.head[sl] >> kSize.size_bits != 0) {
        throw RunError(fmt::format("dtable RTL: a message of {} credits on SL {}, more than the {} bits of its sizes",
                                   view.head[sl], sl, kSize.size_bits));
      }
      set_bits(top_.size_i, sl * kSize.size_bits, kSize.size_bits, view.head[sl]);
    }
    top_.eval();
    Decision decision;
    if (top_.grant_o != 0) decision.grant = static_cast<ServiceLevel>(top_.grant_sl_o);
    decision.saturated = top_.saturated_o != 0;
    return decision;
  }

  void end_cycle(std::uint32_t still_active) override {
    set_bits(top_.still_active_i, 0, kSize.levels, still_active & kLevels);
    top_.clk_i = 1;
    top_.eval();
  }

  void idle_cycle(std::uint32_t active) override {
    top_.clk_i = 0;
    top_.decide_i = 0;
    set_active(active & kLevels);
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }

  void trace(VerilatedFstC& file) override { top_.trace(&file, 99); }
  void clock_high() override {
    if (top_.clk_i != 0) return;  // a decision came in this cycle
    top_.clk_i = 1;
    top_.eval();
  }
  void clock_low() override {
    top_.clk_i = 0;
    top_.decide_i = 0;
    // Nothing is known of this cycle: the SLs that were active at the end of the last one.
    top_.active_i = top_.still_active_i;
    top_.eval();
  }

 private:
  static constexpr std::uint32_t kLevels = ~std::uint32_t{0} >> (32 - kSize.levels);

  void set_active(std::uint32_t active) {
    set_bits(top_.active_i, 0, kSize.levels, active);
    set_bits(top_.still_active_i, 0, kSize.levels, active);
  }
  void clock() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }
  V top_;
};

}  // namespace weft
