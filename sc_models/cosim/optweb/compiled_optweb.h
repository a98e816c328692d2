#pragma once
// Compiled sizes of the OPTWEB blocks: link_sync with gaps of 1 and 2 cycles, words of 64 bits; stripe_address with 16
// and 64 stripes of 2 x 256 MiB; command_sequencer with 256 entries, addresses of 40 bits, 1,024 nodes and groups.

#include <memory>
#include <optional>
#include <string>

#include "cosim/optweb/optweb_rtl.h"

namespace weft::optweb {

/// Why the compiled RTL cannot stand for such a block, as a sentence for the user; nothing when it can.
std::optional<std::string> link_sync_rtl_limit(std::uint32_t gap);
std::optional<std::string> stripe_address_rtl_limit(const StripeGeometry& geometry);
std::optional<std::string> command_sequencer_rtl_limit(std::uint32_t depth);
/// Why the compiled sequencer cannot hold an instruction.
std::optional<std::string> instruction_rtl_limit(const MachineInstruction& instruction);

/// The blocks after reset. `name`: scope in waves, dots separate levels. Throw std::invalid_argument when there is a
/// limit.
std::unique_ptr<LinkSyncRtl> make_link_sync_rtl(VerilatedContext& context, std::uint32_t gap, const std::string& name);
std::unique_ptr<StripeAddressRtl> make_stripe_address_rtl(VerilatedContext& context, const StripeGeometry& geometry,
                                                          const std::string& name);
std::unique_ptr<CommandSequencerRtl> make_command_sequencer_rtl(VerilatedContext& context, std::uint32_t depth,
                                                                const std::string& name);

}  // namespace weft::optweb
