#include "cosim/optweb/optweb_blocks.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "cosim/optweb/optweb_lockstep.h"

namespace weft {
namespace {

void check(const optweb::BlockSite& place, const std::optional<std::string>& limit) {
  if (limit) throw RunError(fmt::format("{}: {}; use implementation: model for it", place.path, *limit));
}

}  // namespace

OptwebBlocks::OptwebBlocks(Choice choice, OptwebRtlMakers makers)
    : choice_(std::move(choice)), makers_(std::move(makers)), context_(make_rtl_context()) {}

std::unique_ptr<optweb::LinkSyncIf> OptwebBlocks::link_sync(const optweb::BlockSite& place, std::uint32_t gap) {
  const Implementation which = choice_(place).link_sync;
  if (which == Implementation::model) return BlockFactory::link_sync(place, gap);
  check(place, optweb::link_sync_rtl_limit(gap));
  auto core = makers_.link_sync(*context_, gap, place.path + "_rtl");
  core->stand({place.path, place.now});
  if (which == Implementation::rtl) return core;
  return std::make_unique<optweb::LockstepLinkSync>(place, gap, std::move(core), compared_.add_pair("link_sync"));
}

std::unique_ptr<optweb::StripeAddressIf> OptwebBlocks::stripe_address(const optweb::BlockSite& place,
                                                                      const optweb::StripeGeometry& geometry) {
  const Implementation which = choice_(place).stripe_address;
  if (which == Implementation::model) return BlockFactory::stripe_address(place, geometry);
  check(place, optweb::stripe_address_rtl_limit(geometry));
  auto core = makers_.stripe_address(*context_, geometry, place.path + "_rtl");
  core->stand({place.path, place.now});
  traceable_.emplace(place.node, core.get());
  if (which == Implementation::rtl) return core;
  return std::make_unique<optweb::LockstepStripeAddress>(place, geometry, std::move(core),
                                                         compared_.add_pair("stripe_address"));
}

std::unique_ptr<optweb::CommandSequencerIf> OptwebBlocks::command_sequencer(const optweb::BlockSite& place,
                                                                            std::uint32_t depth) {
  const Implementation which = choice_(place).command_sequencer;
  if (which == Implementation::model) return BlockFactory::command_sequencer(place, depth);
  check(place, optweb::command_sequencer_rtl_limit(depth));
  auto core = makers_.command_sequencer(*context_, depth, place.path + "_rtl");
  core->stand({place.path, place.now});
  traceable_.emplace(place.node, core.get());
  if (which == Implementation::rtl) return core;
  return std::make_unique<optweb::LockstepCommandSequencer>(place, depth, std::move(core),
                                                            compared_.add_pair("command_sequencer"));
}

void OptwebBlocks::trace(WaveFile& file, const std::function<bool(std::uint32_t)>& watched) {
  for (const auto& [node, block] : traceable_) {
    if (watched(node)) block->trace(file);
  }
}

void OptwebBlocks::settle() {
  for (const auto& [node, block] : traceable_) block->settle();
}

void OptwebBlocks::show_cycle(std::uint32_t node) {
  const auto [begin, end] = traceable_.equal_range(node);
  for (auto it = begin; it != end; ++it) it->second->show_cycle();
}

void OptwebBlocks::show_half(std::uint32_t node) {
  const auto [begin, end] = traceable_.equal_range(node);
  for (auto it = begin; it != end; ++it) it->second->show_half();
}

}  // namespace weft
