#pragma once
// OPTWEB blocks of which the model drives the node and the RTL must do the same: it gets the same inputs, and all its
// outputs are compared in every cycle that is stepped. The first difference throws RunError with place, time, inputs,
// state and both outputs. Cycles that the model leaves out because nothing changes are left out for the RTL as well.

#include <memory>

#include "algorithms/optweb/blocks.h"
#include "cosim/common/lockstep_counts.h"
#include "cosim/optweb/optweb_rtl.h"

namespace weft::optweb {

class LockstepLinkSync final : public LinkSyncIf {
 public:
  LockstepLinkSync(BlockSite place, std::uint32_t gap, std::unique_ptr<LinkSyncRtl> core, LockstepCount& count);
  LinkSyncOutputs step(const LinkSyncInputs& inputs) override;
  bool steady(const LinkSyncInputs& inputs) const override { return model_.steady(inputs); }

 private:
  BlockSite place_;
  LinkSync model_;
  std::unique_ptr<LinkSyncRtl> core_;
  LockstepCount& count_;
};

class LockstepStripeAddress final : public StripeAddressIf {
 public:
  LockstepStripeAddress(BlockSite place, const StripeGeometry& geometry, std::unique_ptr<StripeAddressRtl> core,
                        LockstepCount& count);
  StripeResponse translate(const StripeRequest& request) override;

 private:
  BlockSite place_;
  StripeAddress model_;
  std::unique_ptr<StripeAddressRtl> core_;
  LockstepCount& count_;
};

class LockstepCommandSequencer final : public CommandSequencerIf {
 public:
  LockstepCommandSequencer(BlockSite place, std::uint32_t depth, std::unique_ptr<CommandSequencerRtl> core,
                           LockstepCount& count);
  SequencerOutputs step(const SequencerInputs& inputs) override;
  /// Both must rest: a sequencer that goes on while the other waits is stepped, so that the difference shows.
  bool rests() const override { return model_.rests() && core_->rests(); }
  Units issue() const override { return model_.issue(); }
  const MachineInstruction& instruction() const override { return model_.instruction(); }

 private:
  BlockSite place_;
  CommandSequencer model_;
  std::unique_ptr<CommandSequencerRtl> core_;
  LockstepCount& count_;
};

}  // namespace weft::optweb
