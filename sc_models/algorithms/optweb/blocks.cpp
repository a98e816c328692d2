#include "algorithms/optweb/blocks.h"

namespace weft::optweb {

std::unique_ptr<LinkSyncIf> BlockFactory::link_sync(const BlockSite&, std::uint32_t gap) {
  return std::make_unique<LinkSync>(gap);
}

std::unique_ptr<StripeAddressIf> BlockFactory::stripe_address(const BlockSite&, const StripeGeometry& geometry) {
  return std::make_unique<StripeAddress>(geometry);
}

std::unique_ptr<CommandSequencerIf> BlockFactory::command_sequencer(const BlockSite&, std::uint32_t depth) {
  return std::make_unique<CommandSequencer>(depth);
}

std::unique_ptr<SwitchControlIf> BlockFactory::switch_control(const BlockSite&, std::uint32_t ports,
                                                              std::uint32_t own) {
  return std::make_unique<SwitchControl>(ports, own);
}

}  // namespace weft::optweb
