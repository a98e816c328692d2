#pragma once
// Factory of an OPTWEB node's replaceable blocks: model, RTL or both in lockstep, as asked for each place.
//
// rtl       the Verilated block alone stands in the node.
// lockstep  the model drives the node; the RTL gets the same inputs and is compared (cosim/optweb/optweb_lockstep.h).
// All three give the same results to the bit.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/optweb/blocks.h"
#include "algorithms/optweb/optweb_config.h"
#include "cosim/common/lockstep_counts.h"
#include "cosim/optweb/optweb_rtl.h"

namespace weft {

class OptwebBlocks final : public optweb::BlockFactory {
 public:
  using Choice = std::function<OptwebImplementations(std::uint32_t node)>;
  /// `blocks` must outlive the factory.
  OptwebBlocks(Choice choice, const OptwebRtlBlocks& blocks);
  /// As the configuration says, which must outlive the factory too.
  OptwebBlocks(const OptwebConfig& config, const OptwebRtlBlocks& blocks);

  /// Throw RunError, with the place, when the compiled RTL cannot stand there; the limits in
  /// cosim/optweb/optweb_rtl.h tell before. The blocks must not outlive the factory.
  std::unique_ptr<optweb::LinkSyncIf> link_sync(const optweb::BlockSite& place, std::uint32_t gap) override;
  std::unique_ptr<optweb::StripeAddressIf> stripe_address(const optweb::BlockSite& place,
                                                          const optweb::StripeGeometry& geometry) override;
  std::unique_ptr<optweb::CommandSequencerIf> command_sequencer(const optweb::BlockSite& place,
                                                                std::uint32_t depth) override;
  std::unique_ptr<optweb::SwitchControlIf> switch_control(const optweb::BlockSite& place, std::uint32_t ports,
                                                          std::uint32_t own) override;

  /// The Verilated blocks of the nodes for which `watched` holds, to be put into a waveform.
  void trace(WaveFile& file, const std::function<bool(std::uint32_t node)>& watched);
  /// A node has Verilated blocks that can be shown.
  bool shown(std::uint32_t node) const { return traceable_.count(node) != 0; }
  /// In waves, before the first cycle: what has been done so far lies before it.
  void settle();
  /// In waves, at the end of a cycle of a node: the signals of this cycle, clock high; then clock low.
  void show_cycle(std::uint32_t node);
  void show_half(std::uint32_t node);
  /// The waveform is over: nothing is kept for it any more.
  void end_trace();

  const LockstepCounts& compared() const { return compared_; }

 private:
  const OptwebImplementations& chosen(std::uint32_t node);

  Choice choice_;
  std::optional<std::uint32_t> node_;  // of chosen_
  OptwebImplementations chosen_;
  const OptwebRtlBlocks& blocks_;
  std::shared_ptr<VerilatedContext> context_;
  std::multimap<std::uint32_t, RtlBlock*> traceable_;  // by node
  LockstepCounts compared_;
};

}  // namespace weft
