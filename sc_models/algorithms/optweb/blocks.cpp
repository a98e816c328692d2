#include "algorithms/optweb/blocks.h"

namespace weft::optweb {

std::unique_ptr<LinkSyncIf> BlockFactory::link_sync(const BlockPlace&, std::uint32_t gap) {
  return std::make_unique<LinkSync>(gap);
}

std::unique_ptr<StripeAddressIf> BlockFactory::stripe_address(const BlockPlace&, const StripeGeometry& geometry) {
  return std::make_unique<StripeAddress>(geometry);
}

std::unique_ptr<CommandSequencerIf> BlockFactory::command_sequencer(const BlockPlace&, std::uint32_t depth) {
  return std::make_unique<CommandSequencer>(depth);
}

}  // namespace weft::optweb
