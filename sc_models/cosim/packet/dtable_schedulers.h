#pragma once
// Egress schedulers that have rtl/packet/dtable.sv inside, alone or beside the plain class. They behave as
// DeficitTable.
//
// Timing: pick() and idle() are one clock cycle of the RTL each, with decide_i set. The cycles in which a message
// leaves, in which the block does nothing, are left out.

#include <functional>
#include <memory>
#include <string>

#include "algorithms/qos/deficit_table.h"
#include "cosim/common/lockstep_counts.h"
#include "cosim/packet/dtable_rtl.h"

namespace weft {

class RtlDtable final : public EgressScheduler {
 public:
  explicit RtlDtable(std::unique_ptr<DtableRtl> core) : core_(std::move(core)) {}

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel, const EgressView&) override {}
  void idle() override { pick({}); }
  std::uint64_t saturations() const { return saturations_; }
  RtlBlock& block() { return *core_; }

 private:
  std::unique_ptr<DtableRtl> core_;
  std::uint64_t saturations_ = 0;
};

/// The model decides, the RTL must decide the same in every step. The first difference throws RunError with place,
/// time, inputs and both outputs.
class LockstepDtable final : public EgressScheduler {
 public:
  /// `path`: of the instance. `now`: the time of the present step for messages, as "5.12ns (cycle 1)".
  LockstepDtable(const ArbitrationTable& table, unsigned counter_bits, std::unique_ptr<DtableRtl> core,
                 std::string path, std::function<std::string()> now, LockstepCount& count);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel sl, const EgressView& after) override { model_.sent(sl, after); }
  void idle() override;
  const DeficitTable& model() const { return model_; }
  RtlBlock& block() { return *core_; }

 private:
  void compare(const EgressView& view, const DtableRtl::Decision& model);

  DeficitTable model_;
  std::unique_ptr<DtableRtl> core_;
  std::string path_;
  std::function<std::string()> now_;
  LockstepCount& count_;
};

}  // namespace weft
