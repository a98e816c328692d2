#pragma once
// Protocol of packet links (kernel/link.h). Forward: one call per message, annotated with the delay until its head
// arrives. Backward: one call per message that leaves the receiving buffer, with the ramp of the credits it gives back.

#include <tlm>

#include "fabrics/packet/common/message.h"
#include "fabrics/packet/common/shared_buffer.h"
#include "kernel/link.h"

namespace weft {

struct PacketTransfer {
  PacketMessage* message = nullptr;  ///< forward
  Cycle head = 0;                    ///< forward: the first flit arrives at the receiver
  Drain credits;                     ///< backward: in cycles of arrival at the sender
  VirtualLane lane = 0;              ///< backward: VL of the credits
};

struct PacketProtocol {
  using tlm_payload_type = PacketTransfer;
  using tlm_phase_type = tlm::tlm_phase;
  /// By an adapter: either way, what belongs to the other one is not set.
  static void delay(PacketTransfer& transfer, Cycle cycles) {
    transfer.head += cycles;
    transfer.credits.start += cycles;
    transfer.credits.arrive += cycles;
  }
};

using PacketReceiver = LinkReceiver<PacketProtocol>;
using PacketSender = LinkSender<PacketProtocol>;
using PacketInPort = LinkInPort<PacketProtocol>;
using PacketOutPort = LinkOutPort<PacketProtocol>;
using PacketForwardPath = LinkForwardPath<PacketProtocol>;
using PacketBackwardPath = LinkBackwardPath<PacketProtocol>;

}  // namespace weft
