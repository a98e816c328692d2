#pragma once
// One Verilated size of drr as a SchedulerRtl. Included only where a Verilated class is at hand.

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "cosim/packet/drr_rtl.h"
#include "cosim/packet/verilated_scheduler.h"

namespace weft {

/// V: Verilated drr with these parameters; kLatency: of its answers (verilated_scheduler.h).
template <class V, DrrRtlSize kSize, unsigned kLatency = 0>
class VerilatedDrr final : public VerilatedScheduler<VerilatedDrr<V, kSize, kLatency>, V, kSize, kLatency> {
  using Scheduler = VerilatedScheduler<VerilatedDrr, V, kSize, kLatency>;

 public:
  static constexpr const char* kPlace = "drr";

  /// Precondition: at most kSize.levels quanta.
  VerilatedDrr(VerilatedContext& context, const std::vector<std::uint32_t>& quanta, const std::string& name)
      : Scheduler(context, name), quanta_(quanta) {
    prepare(this->top());
  }

  static auto inputs(V& top) {
    return std::tie(top.cfg_we_i, top.cfg_sl_i, top.cfg_weight_i, top.decide_i, top.active_i, top.size_i);
  }
  static auto outputs(V& top) { return std::tie(top.grant_o, top.grant_sl_o, top.saturated_o); }
  static constexpr std::uint32_t kWidths[] = {1, Scheduler::kLevelBits, kSize.weight_bits,
                                              1, kSize.levels,          kSize.levels* kSize.size_bits,
                                              1, Scheduler::kLevelBits, 1};

  /// Writes the quanta.
  void prepare(V& top) {
    top.cfg_we_i = 1;
    for (std::size_t sl = 0; sl < quanta_.size(); ++sl) {
      set_pin(top.cfg_sl_i, sl);
      set_pin(top.cfg_weight_i, quanta_[sl]);
      this->tick(top);
    }
    top.cfg_we_i = 0;
  }

 private:
  std::vector<std::uint32_t> quanta_;  // by SL
};

/// A Verilated module as a block to register. `module`: its top module.
template <class V, DrrRtlSize kSize, unsigned kLatency = 0>
SchedulerBlock verilated_drr(const std::string& module) {
  return {module, [](const SchedulerConfig&) { return kSize; },
          [](const SchedulerConfig& s, std::uint32_t largest_message) {
            return drr_rtl_limit(kSize, s.quanta, largest_message);
          },
          [](VerilatedContext& context, const SchedulerConfig& s, const std::string& name) {
            return std::make_unique<VerilatedDrr<V, kSize, kLatency>>(context, s.quanta, name);
          }};
}

}  // namespace weft
