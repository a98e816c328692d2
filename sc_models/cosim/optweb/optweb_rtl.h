#pragma once
// RTL of the OPTWEB blocks as plain objects, each behind the interface of its model.

#include <cstdint>

#include "algorithms/optweb/command_sequencer.h"
#include "algorithms/optweb/link_sync.h"
#include "algorithms/optweb/stripe_address.h"
#include "cosim/common/rtl_block.h"

namespace weft::optweb {

class LinkSyncRtl : public LinkSyncIf, public RtlBlock {};
class StripeAddressRtl : public StripeAddressIf, public RtlBlock {};
class CommandSequencerRtl : public CommandSequencerIf, public RtlBlock {};

inline constexpr std::uint32_t kRtlSequencerDepth = 256;
inline constexpr unsigned kRtlAddressBits = 40;
inline constexpr unsigned kRtlNodeBits = 10;
inline constexpr unsigned kRtlGroupBits = 10;
inline constexpr unsigned kRtlFlagsBits = 8;

}  // namespace weft::optweb
