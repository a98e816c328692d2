#include "cosim/optweb/optweb_rtl.h"

#include <fmt/format.h>

#include "cosim/common/block_call.h"
#include "cosim/common/compiled_rtl.h"

namespace weft::optweb {
namespace {

constexpr std::uint64_t kRtlCapacity = std::uint64_t{256} << 20;
// Ranges of the parameters of rtl/optweb/link_sync.sv, stripe_address.sv, switch_control.sv.
constexpr std::uint32_t kMostGap = 15;
constexpr std::uint32_t kMostStripes = 64;
constexpr std::uint32_t kMostControlPorts = 128;

// A block of such a memory, where the RTL can be of its size.
std::string stripe_address_call(const StripeGeometry& g) {
  if (g.stripes > kMostStripes || g.capacity > StripeAddress::kMaxCapacity) return "";
  if (2 * g.capacity * g.stripes > std::uint64_t{1} << kRtlAddressBits) return "";
  return of_this_size(fmt::format("weft_add_block(stripes PLACE stripe_address PARAMETERS Stripes={} Capacity={})",
                                  g.stripes, g.capacity));
}

}  // namespace

std::optional<std::string> link_sync_rtl_limit(std::uint32_t gap) {
  if (gap == 1 || gap == 2) return std::nullopt;
  const std::string call =
      gap > kMostGap ? "" : fmt::format("weft_add_block(sync PLACE link_sync PARAMETERS Gap={})", gap);
  return fmt::format("a gap of {} cycles between runs; the compiled RTL has 1 or 2{}", gap, of_this_size(call));
}

std::optional<std::string> stripe_address_rtl_limit(const StripeGeometry& geometry) {
  if (geometry.capacity != kRtlCapacity) {
    return fmt::format("memory interfaces of {} bytes; the compiled RTL has {} (256 MiB){}", geometry.capacity,
                       kRtlCapacity, stripe_address_call(geometry));
  }
  if (geometry.stripes == 16 || geometry.stripes == 64) return std::nullopt;
  return fmt::format("{} memory I/Os; the compiled RTL has 16 or 64{}", geometry.stripes,
                     stripe_address_call(geometry));
}

std::optional<std::string> command_sequencer_rtl_limit(std::uint32_t depth) {
  if (depth == kRtlSequencerDepth) return std::nullopt;
  return fmt::format("an instruction memory of {} entries; the compiled RTL has {}", depth, kRtlSequencerDepth);
}

std::optional<std::string> switch_control_rtl_limit(std::uint32_t ports) {
  if (ports <= kRtlControlPorts) return std::nullopt;
  const std::string call = ports > kMostControlPorts
                               ? ""
                               : fmt::format("weft_add_block(control PLACE switch_control PARAMETERS Ports={})", ports);
  return fmt::format("{} ports, one for each node that is reached and the node itself; the compiled RTL has {}{}",
                     ports, kRtlControlPorts, of_this_size(call));
}

std::optional<std::string> instruction_rtl_limit(const MachineInstruction& i) {
  if ((i.send_address | i.receive_address | i.size) >> kRtlAddressBits != 0) {
    return fmt::format("addresses and sizes of an instruction have {} bits in the compiled RTL", kRtlAddressBits);
  }
  if ((i.source | i.destination) >> kRtlNodeBits != 0 || i.group >> kRtlGroupBits != 0) {
    return fmt::format("the compiled RTL has {} nodes and {} groups", 1U << kRtlNodeBits, 1U << kRtlGroupBits);
  }
  if (static_cast<unsigned>(i.opcode) > 15) return std::string("opcodes have 4 bits");
  return std::nullopt;
}

std::unique_ptr<LinkSyncRtl> make_link_sync_rtl(VerilatedContext& context, std::uint32_t gap, const std::string& name) {
  return compiled<decltype(make_link_sync_rtl)>("link_sync")(context, gap, name);
}

std::unique_ptr<StripeAddressRtl> make_stripe_address_rtl(VerilatedContext& context, const StripeGeometry& geometry,
                                                          const std::string& name) {
  return compiled<decltype(make_stripe_address_rtl)>("stripe_address")(context, geometry, name);
}

std::unique_ptr<CommandSequencerRtl> make_command_sequencer_rtl(VerilatedContext& context, std::uint32_t depth,
                                                                const std::string& name) {
  return compiled<decltype(make_command_sequencer_rtl)>("command_sequencer")(context, depth, name);
}

std::unique_ptr<SwitchControlRtl> make_switch_control_rtl(VerilatedContext& context, std::uint32_t ports,
                                                          std::uint32_t own, const std::string& name) {
  return compiled<decltype(make_switch_control_rtl)>("switch_control")(context, ports, own, name);
}

}  // namespace weft::optweb
