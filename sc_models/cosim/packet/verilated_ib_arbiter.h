#pragma once
// One Verilated size of ib_arbiter as a SchedulerRtl. Included only where a Verilated class is at hand.

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

#include "cosim/packet/ib_arbiter_rtl.h"
#include "cosim/packet/verilated_scheduler.h"

namespace weft {

/// What an arbiter is written with.
struct IbTables {
  ArbitrationTable high;
  ArbitrationTable low;
  std::uint32_t limit_of_high_priority = 0;
};

/// V: Verilated ib_arbiter with these parameters; kLatency: of its answers (verilated_scheduler.h).
template <class V, IbArbiterRtlSize kSize, unsigned kLatency = 0>
class VerilatedIbArbiter final : public VerilatedScheduler<VerilatedIbArbiter<V, kSize, kLatency>, V, kSize, kLatency> {
  using Scheduler = VerilatedScheduler<VerilatedIbArbiter, V, kSize, kLatency>;

 public:
  static constexpr const char* kPlace = "ib_arbiter";

  /// Precondition: each table has at most kSize.entries entries.
  VerilatedIbArbiter(VerilatedContext& context, const IbTables& tables, const std::string& name)
      : Scheduler(context, name), tables_(tables) {
    prepare(this->top());
  }

  static auto inputs(V& top) {
    return std::tie(top.cfg_we_i, top.cfg_high_i, top.cfg_index_i, top.cfg_sl_i, top.cfg_weight_i, top.limit_i,
                    top.decide_i, top.active_i, top.size_i);
  }
  static auto outputs(V& top) { return std::tie(top.grant_o, top.grant_sl_o); }
  static constexpr std::uint32_t kWidths[] = {1,
                                              1,
                                              Scheduler::kEntryBits,
                                              Scheduler::kLevelBits,
                                              kSize.weight_bits,
                                              8,
                                              1,
                                              kSize.levels,
                                              kSize.levels* kSize.size_bits,
                                              1,
                                              Scheduler::kLevelBits};

  /// Writes both tables and the limit, which stays.
  void prepare(V& top) {
    set_pin(top.limit_i, tables_.limit_of_high_priority);
    top.cfg_we_i = 1;
    write(top, true, tables_.high);
    write(top, false, tables_.low);
    top.cfg_we_i = 0;
  }

 private:
  void write(V& top, bool high, const ArbitrationTable& table) {
    top.cfg_high_i = high ? 1 : 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      set_pin(top.cfg_index_i, i);
      set_pin(top.cfg_sl_i, table[i].sl);
      set_pin(top.cfg_weight_i, table[i].weight);
      this->tick(top);
    }
  }

  IbTables tables_;
};

/// A Verilated module as a block to register. `module`: its top module.
template <class V, IbArbiterRtlSize kSize, unsigned kLatency = 0>
SchedulerBlock verilated_ib_arbiter(const std::string& module) {
  return {module, [](const SchedulerConfig&) { return kSize; },
          [](const SchedulerConfig& s, std::uint32_t largest_message) {
            return ib_arbiter_rtl_limit(kSize, s.high, s.low, largest_message);
          },
          [](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
            return std::make_unique<VerilatedIbArbiter<V, kSize, kLatency>>(
                context, IbTables{s.high, s.low, s.limit_of_high_priority}, name);
          }};
}

}  // namespace weft
