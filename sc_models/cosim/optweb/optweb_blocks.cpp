#include "cosim/optweb/optweb_blocks.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "cosim/optweb/optweb_lockstep.h"
#include "cosim/optweb/switch_control_lockstep.h"

namespace weft {
namespace {

void check(const optweb::BlockSite& place, const std::optional<std::string>& limit) {
  if (limit) throw RunError(fmt::format("{}: {}; use implementation: model for it", place.path, *limit));
}

}  // namespace

OptwebBlocks::OptwebBlocks(Choice choice, const OptwebRtlBlocks& blocks)
    : choice_(std::move(choice)), blocks_(blocks), context_(make_rtl_context()) {}

OptwebBlocks::OptwebBlocks(const OptwebConfig& config, const OptwebRtlBlocks& blocks)
    : OptwebBlocks([&config](std::uint32_t node) { return config.implementations(node); }, blocks) {}

// Nodes are made one after the other.
const OptwebImplementations& OptwebBlocks::chosen(std::uint32_t node) {
  if (node_ != node) chosen_ = choice_(node);
  node_ = node;
  return chosen_;
}

std::unique_ptr<optweb::LinkSyncIf> OptwebBlocks::link_sync(const optweb::BlockSite& place, std::uint32_t gap) {
  const BlockChoice& which = chosen(place.node).link_sync;
  if (which.is_model()) return BlockFactory::link_sync(place, gap);
  const auto& block = blocks_.link_sync.of(which);
  check(place, block.limit(gap));
  auto core = block.make(*context_, gap, place.path + "_rtl");
  core->stand({place.path, place.now});
  traceable_.emplace(place.node, core.get());
  if (which.implementation == Implementation::rtl) return core;
  return std::make_unique<optweb::LockstepLinkSync>(place, gap, std::move(core),
                                                    compared_.add_pair(pair_name("link_sync", which), *core));
}

std::unique_ptr<optweb::StripeAddressIf> OptwebBlocks::stripe_address(const optweb::BlockSite& place,
                                                                      const optweb::StripeGeometry& geometry) {
  const BlockChoice& which = chosen(place.node).stripe_address;
  if (which.is_model()) return BlockFactory::stripe_address(place, geometry);
  const auto& block = blocks_.stripe_address.of(which);
  check(place, block.limit(geometry));
  auto core = block.make(*context_, geometry, place.path + "_rtl");
  core->stand({place.path, place.now});
  traceable_.emplace(place.node, core.get());
  if (which.implementation == Implementation::rtl) return core;
  return std::make_unique<optweb::LockstepStripeAddress>(place, geometry, std::move(core),
                                                         compared_.add_pair(pair_name("stripe_address", which), *core));
}

std::unique_ptr<optweb::CommandSequencerIf> OptwebBlocks::command_sequencer(const optweb::BlockSite& place,
                                                                            std::uint32_t depth) {
  const BlockChoice& which = chosen(place.node).command_sequencer;
  if (which.is_model()) return BlockFactory::command_sequencer(place, depth);
  const auto& block = blocks_.command_sequencer.of(which);
  check(place, block.limit(depth));
  auto core = block.make(*context_, depth, place.path + "_rtl");
  core->stand({place.path, place.now});
  traceable_.emplace(place.node, core.get());
  if (which.implementation == Implementation::rtl) return core;
  return std::make_unique<optweb::LockstepCommandSequencer>(
      place, depth, std::move(core), compared_.add_pair(pair_name("command_sequencer", which), *core));
}

std::unique_ptr<optweb::SwitchControlIf> OptwebBlocks::switch_control(const optweb::BlockSite& place,
                                                                      std::uint32_t ports, std::uint32_t own) {
  const BlockChoice& which = chosen(place.node).switch_control;
  if (which.is_model()) return BlockFactory::switch_control(place, ports, own);
  const auto& block = blocks_.switch_control.of(which);
  check(place, block.limit(ports));
  auto core = block.make(*context_, ports, own, place.path + "_rtl");
  core->stand({place.path, place.now});
  traceable_.emplace(place.node, core.get());
  if (which.implementation == Implementation::rtl) return core;
  return std::make_unique<optweb::LockstepSwitchControl>(place, ports, own, std::move(core),
                                                         compared_.add_pair(pair_name("switch_control", which), *core));
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

void OptwebBlocks::end_trace() {
  for (const auto& [node, block] : traceable_) block->end_trace();
}

}  // namespace weft
