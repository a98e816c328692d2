#pragma once
// One Verilated size of dtable as a SchedulerRtl. Included only where a Verilated class is at hand.

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

#include "cosim/packet/dtable_rtl.h"
#include "cosim/packet/verilated_scheduler.h"

namespace weft {

/// V: Verilated dtable with these parameters; kLatency: of its answers (verilated_scheduler.h).
template <class V, DtableRtlSize kSize, unsigned kLatency = 0>
class VerilatedDtable final : public VerilatedScheduler<VerilatedDtable<V, kSize, kLatency>, V, kSize, kLatency> {
  using Scheduler = VerilatedScheduler<VerilatedDtable, V, kSize, kLatency>;

 public:
  static constexpr const char* kPlace = "dtable";

  /// Precondition: the table has at most kSize.entries entries.
  VerilatedDtable(VerilatedContext& context, const ArbitrationTable& table, const std::string& name)
      : Scheduler(context, name), table_(table) {
    prepare(this->top());
  }

  static auto inputs(V& top) {
    return std::tie(top.cfg_we_i, top.cfg_index_i, top.cfg_sl_i, top.cfg_weight_i, top.decide_i, top.active_i,
                    top.size_i);
  }
  static auto outputs(V& top) { return std::tie(top.grant_o, top.grant_sl_o, top.saturated_o); }
  static constexpr std::uint32_t kWidths[] = {1,
                                              Scheduler::kEntryBits,
                                              Scheduler::kLevelBits,
                                              kSize.weight_bits,
                                              1,
                                              kSize.levels,
                                              kSize.levels* kSize.size_bits,
                                              1,
                                              Scheduler::kLevelBits,
                                              1};

  /// Writes the table.
  void prepare(V& top) {
    top.cfg_we_i = 1;
    for (std::size_t i = 0; i < table_.size(); ++i) {
      set_pin(top.cfg_index_i, i);
      set_pin(top.cfg_sl_i, table_[i].sl);
      set_pin(top.cfg_weight_i, table_[i].weight);
      this->tick(top);
    }
    top.cfg_we_i = 0;
  }

 private:
  ArbitrationTable table_;
};

/// A Verilated module as a block to register. `module`: its top module.
template <class V, DtableRtlSize kSize, unsigned kLatency = 0>
SchedulerBlock verilated_dtable(const std::string& module) {
  return {module, [](const SchedulerConfig&) { return kSize; },
          [](const SchedulerConfig& s, std::uint32_t largest_message) {
            return dtable_rtl_limit(kSize, s.table, s.counter_bits, largest_message);
          },
          [](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
            return std::make_unique<VerilatedDtable<V, kSize, kLatency>>(context, s.table, name);
          }};
}

}  // namespace weft
