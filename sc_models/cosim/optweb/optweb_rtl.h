#pragma once
// RTL of the OPTWEB blocks as plain objects, each behind the interface of its model.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "algorithms/optweb/command_sequencer.h"
#include "algorithms/optweb/control/switch_control.h"
#include "algorithms/optweb/control/switch_control_pins.h"
#include "algorithms/optweb/link_sync.h"
#include "algorithms/optweb/stripe_address.h"
#include "cosim/common/named_blocks.h"
#include "cosim/common/rtl_block.h"

namespace weft::optweb {

class LinkSyncRtl : public LinkSyncIf, public RtlBlock {};
class StripeAddressRtl : public StripeAddressIf, public RtlBlock {};
class CommandSequencerRtl : public CommandSequencerIf, public RtlBlock {};
class SwitchControlRtl : public SwitchControlIf, public RtlBlock {
 public:
  /// Outputs, with all that the present cycle has brought so far.
  virtual ControlPins pins() const = 0;
};

inline constexpr std::uint32_t kRtlSequencerDepth = 256;
inline constexpr unsigned kRtlAddressBits = 40;
inline constexpr unsigned kRtlNodeBits = 10;
inline constexpr unsigned kRtlGroupBits = 10;
inline constexpr unsigned kRtlFlagsBits = 8;
inline constexpr unsigned kRtlControlPorts = 16;
inline constexpr unsigned kRtlWordBits = 36;

// Compiled sizes of the OPTWEB blocks: link_sync with gaps of 1 and 2 cycles, words of 64 bits; stripe_address with 16
// and 64 stripes of 2 x 256 MiB; command_sequencer with 256 entries, addresses of 40 bits, 1,024 nodes and groups;
// switch_control with 16 ports, of which a node may have fewer, and word counts of 36 bits, which are told in one step.

/// Why the compiled RTL cannot stand for such a block, as a sentence for the user; nothing when it can.
std::optional<std::string> link_sync_rtl_limit(std::uint32_t gap);
std::optional<std::string> stripe_address_rtl_limit(const StripeGeometry& geometry);
std::optional<std::string> command_sequencer_rtl_limit(std::uint32_t depth);
std::optional<std::string> switch_control_rtl_limit(std::uint32_t ports);
/// Why the compiled sequencer cannot hold an instruction.
std::optional<std::string> instruction_rtl_limit(const MachineInstruction& instruction);

/// The blocks after reset. `name`: scope in waves, dots separate levels. Throw std::invalid_argument when there is a
/// limit.
std::unique_ptr<LinkSyncRtl> make_link_sync_rtl(VerilatedContext& context, std::uint32_t gap, const std::string& name);
std::unique_ptr<StripeAddressRtl> make_stripe_address_rtl(VerilatedContext& context, const StripeGeometry& geometry,
                                                          const std::string& name);
std::unique_ptr<CommandSequencerRtl> make_command_sequencer_rtl(VerilatedContext& context, std::uint32_t depth,
                                                                const std::string& name);
std::unique_ptr<SwitchControlRtl> make_switch_control_rtl(VerilatedContext& context, std::uint32_t ports,
                                                          std::uint32_t own, const std::string& name);

// Blocks that can stand in a node. `module`: name of their top module.

struct LinkSyncBlock {
  std::string module = "link_sync";
  std::function<std::optional<std::string>(std::uint32_t gap)> limit = link_sync_rtl_limit;
  std::function<std::unique_ptr<LinkSyncRtl>(VerilatedContext&, std::uint32_t gap, const std::string& name)> make =
      make_link_sync_rtl;
};
struct StripeAddressBlock {
  std::string module = "stripe_address";
  std::function<std::optional<std::string>(const StripeGeometry&)> limit = stripe_address_rtl_limit;
  std::function<std::unique_ptr<StripeAddressRtl>(VerilatedContext&, const StripeGeometry&, const std::string& name)>
      make = make_stripe_address_rtl;
};
struct CommandSequencerBlock {
  std::string module = "command_sequencer";
  std::function<std::optional<std::string>(std::uint32_t depth)> limit = command_sequencer_rtl_limit;
  std::function<std::unique_ptr<CommandSequencerRtl>(VerilatedContext&, std::uint32_t depth, const std::string& name)>
      make = make_command_sequencer_rtl;
};
struct SwitchControlBlock {
  std::string module = "switch_control";
  std::function<std::optional<std::string>(std::uint32_t ports)> limit = switch_control_rtl_limit;
  std::function<std::unique_ptr<SwitchControlRtl>(VerilatedContext&, std::uint32_t ports, std::uint32_t own,
                                                  const std::string& name)>
      make = make_switch_control_rtl;
};

}  // namespace weft::optweb

namespace weft {

/// Blocks of OPTWEB networks.
struct OptwebRtlBlocks {
  RtlBlocks<optweb::LinkSyncBlock> link_sync{"the link synchronization", {}};
  RtlBlocks<optweb::StripeAddressBlock> stripe_address{"the address translation", {}};
  RtlBlocks<optweb::CommandSequencerBlock> command_sequencer{"the command sequencer", {}};
  RtlBlocks<optweb::SwitchControlBlock> switch_control{"the control of a distributed switch", {}};
  /// visit(blocks) for each place.
  template <class Visit>
  void each_place(Visit&& visit) const {
    visit(link_sync), visit(stripe_address), visit(command_sequencer), visit(switch_control);
  }
};

}  // namespace weft
