#pragma once
// Factory of an OPTWEB node's replaceable blocks: model, RTL or both in lockstep, as asked for each place.
//
// rtl       the Verilated block alone stands in the node.
// lockstep  the model drives the node; the RTL gets the same inputs and is compared (cosim/optweb/optweb_lockstep.h).
// All three give the same results to the bit.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "algorithms/optweb/blocks.h"
#include "algorithms/optweb/optweb_config.h"
#include "base/implementation.h"
#include "cosim/common/lockstep_counts.h"
#include "cosim/optweb/optweb_rtl.h"

namespace weft {

struct OptwebImplementations {
  Implementation link_sync = Implementation::model;
  Implementation stripe_address = Implementation::model;
  Implementation command_sequencer = Implementation::model;
  bool operator==(const OptwebImplementations&) const = default;
};
/// Those of a configuration, the same at all nodes.
inline OptwebImplementations implementations_of(const OptwebConfig& config) {
  return {config.link_sync, config.stripe_address, config.sequencer};
}

/// Makers of the Verilated blocks; a test puts faulty copies here.
struct OptwebRtlMakers {
  std::function<std::unique_ptr<optweb::LinkSyncRtl>(VerilatedContext&, std::uint32_t gap, const std::string& name)>
      link_sync = optweb::make_link_sync_rtl;
  std::function<std::unique_ptr<optweb::StripeAddressRtl>(VerilatedContext&, const optweb::StripeGeometry&,
                                                          const std::string& name)>
      stripe_address = optweb::make_stripe_address_rtl;
  std::function<std::unique_ptr<optweb::CommandSequencerRtl>(VerilatedContext&, std::uint32_t depth,
                                                             const std::string& name)>
      command_sequencer = optweb::make_command_sequencer_rtl;
};

class OptwebBlocks final : public optweb::BlockFactory {
 public:
  using Choice = std::function<OptwebImplementations(const optweb::BlockSite&)>;
  explicit OptwebBlocks(Choice choice, OptwebRtlMakers makers = {});

  /// Throw RunError, with the place, when the compiled RTL cannot stand there; the limits in
  /// cosim/optweb/optweb_rtl.h tell before. The blocks must not outlive the factory.
  std::unique_ptr<optweb::LinkSyncIf> link_sync(const optweb::BlockSite& place, std::uint32_t gap) override;
  std::unique_ptr<optweb::StripeAddressIf> stripe_address(const optweb::BlockSite& place,
                                                          const optweb::StripeGeometry& geometry) override;
  std::unique_ptr<optweb::CommandSequencerIf> command_sequencer(const optweb::BlockSite& place,
                                                                std::uint32_t depth) override;

  /// The Verilated blocks of the nodes for which `watched` holds, to be put into a waveform; link_sync is not among
  /// them: its RTL is asked what a run on a lane costs, in no time, and rests in between.
  void trace(WaveFile& file, const std::function<bool(std::uint32_t node)>& watched);
  /// In waves, before the first cycle: what has been done so far lies before it.
  void settle();
  /// In waves, at the end of a cycle of a node: the signals of this cycle, clock high; then clock low.
  void show_cycle(std::uint32_t node);
  void show_half(std::uint32_t node);

  const LockstepCounts& compared() const { return compared_; }

 private:
  Choice choice_;
  OptwebRtlMakers makers_;
  std::shared_ptr<VerilatedContext> context_;
  std::multimap<std::uint32_t, RtlBlock*> traceable_;  // by node
  LockstepCounts compared_;
};

}  // namespace weft
