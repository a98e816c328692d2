#pragma once
// Egress schedulers that have RTL inside (rtl/packet/dtable.sv, drr.sv, ib_arbiter.sv, or a block of the user), alone
// or beside the plain class. They behave as the plain class.
//
// Timing: pick() is one clock cycle of the RTL with decide_i set; so is idle(), except for schedulers whose plain class
// does nothing then (SchedulerRtlKind). The cycles in which a message leaves, in which the block does nothing, are left
// out.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cosim/common/lockstep_counts.h"
#include "cosim/packet/scheduler_rtl.h"

namespace weft {

class RtlScheduler final : public EgressScheduler {
 public:
  RtlScheduler(const SchedulerRtlKind& kind, std::unique_ptr<SchedulerRtl> core)
      : kind_(kind), core_(std::move(core)) {}

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel, const EgressView&) override {}
  void idle() override {
    if (kind_.idle_is_a_decision) pick({});
  }
  std::uint64_t saturations() const { return saturations_; }
  RtlBlock& block() { return *core_; }

 private:
  const SchedulerRtlKind& kind_;
  std::unique_ptr<SchedulerRtl> core_;
  std::uint64_t saturations_ = 0;
};

/// The model decides, the RTL must decide the same in every step. The first difference throws RunError with place,
/// time, inputs and both outputs.
class LockstepScheduler final : public EgressScheduler {
 public:
  /// `model`: a plain scheduler of `kind`. `path`: of the instance. `now`: the time of the present step for messages,
  /// as "5.12ns (cycle 1)".
  LockstepScheduler(const SchedulerRtlKind& kind, std::unique_ptr<EgressScheduler> model,
                    std::unique_ptr<SchedulerRtl> core, std::string path, std::function<std::string()> now,
                    LockstepCount& count);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView& after) override { model_->sent(sl, after); }
  void idle() override;
  const EgressScheduler& model() const { return *model_; }
  RtlBlock& block() { return *core_; }

 private:
  std::uint64_t saturations() const { return kind_.saturations == nullptr ? 0 : kind_.saturations(*model_); }
  void compare(const EgressView& view, const SchedulerRtl::Decision& model);

  const SchedulerRtlKind& kind_;
  std::unique_ptr<EgressScheduler> model_;
  std::unique_ptr<SchedulerRtl> core_;
  std::string path_;
  std::function<std::string()> now_;
  LockstepCount& count_;
};

}  // namespace weft
