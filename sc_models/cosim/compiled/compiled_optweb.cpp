#include <stdexcept>

#include "Vcommand_sequencer.h"
#include "Vlink_sync_gap1.h"
#include "Vlink_sync_gap2.h"
#include "Vstripe_address_16.h"
#include "Vstripe_address_64.h"
#include "Vswitch_control.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/optweb/optweb_rtl.h"
#include "cosim/optweb/verilated_optweb.h"
#include "cosim/optweb/verilated_switch_control.h"

namespace weft::optweb {
namespace {

std::unique_ptr<LinkSyncRtl> link_sync(VerilatedContext& context, std::uint32_t gap, const std::string& name) {
  if (const auto limit = link_sync_rtl_limit(gap)) throw std::invalid_argument(*limit);
  if (gap == 1) return std::make_unique<VerilatedLinkSync<Vlink_sync_gap1>>(context, gap, name);
  return std::make_unique<VerilatedLinkSync<Vlink_sync_gap2>>(context, gap, name);
}

std::unique_ptr<StripeAddressRtl> stripe_address(VerilatedContext& context, const StripeGeometry& geometry,
                                                 const std::string& name) {
  if (const auto limit = stripe_address_rtl_limit(geometry)) throw std::invalid_argument(*limit);
  if (geometry.stripes == 16) return std::make_unique<VerilatedStripeAddress<Vstripe_address_16>>(context, name);
  return std::make_unique<VerilatedStripeAddress<Vstripe_address_64>>(context, name);
}

std::unique_ptr<SwitchControlRtl> switch_control(VerilatedContext& context, std::uint32_t ports, std::uint32_t own,
                                                 const std::string& name) {
  if (const auto limit = switch_control_rtl_limit(ports)) throw std::invalid_argument(*limit);
  return std::make_unique<VerilatedSwitchControl<Vswitch_control, kRtlControlPorts>>(context, own, name);
}

std::unique_ptr<CommandSequencerRtl> command_sequencer(VerilatedContext& context, std::uint32_t depth,
                                                       const std::string& name) {
  if (const auto limit = command_sequencer_rtl_limit(depth)) throw std::invalid_argument(*limit);
  return std::make_unique<VerilatedCommandSequencer<Vcommand_sequencer>>(context, name);
}

const CompiledMaker kLinkSync("link_sync", link_sync);
const CompiledMaker kStripeAddress("stripe_address", stripe_address);
const CompiledMaker kSwitchControl("switch_control", switch_control);
const CompiledMaker kCommandSequencer("command_sequencer", command_sequencer);

}  // namespace
}  // namespace weft::optweb
