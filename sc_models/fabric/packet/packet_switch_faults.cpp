// What a packet switch does when a link goes down or comes back. Semantics: docs/packet_switches.md, "Links that fail".

#include <algorithm>

#include "fabric/packet/packet_switch.h"

namespace weft {

void PacketSwitch::set_link(PortId port, bool up, Cycle now) {
  egress_[port]->set_link(up, now);
  if (!up && losses_ != nullptr) {
    egress_[port]->discard(now, *losses_);
    space_coming(port, now);
  }
  if (up) look_everywhere(now);
}

// The space of a message that is not taken on comes back as if its flits went on one per cycle.
void PacketSwitch::drop(PortId in, PacketMessage& m, Cycle now) {
  PacketTransfer transfer;
  transfer.lane = m.lane;
  const Cycle start = std::max(now, m.ready) + parameters_.stages.credit;
  transfer.credits = {start, m.head + parameters_.stages.credit, 1, m.flits};
  inputs_[in].answers.answer(transfer, credit_delay_);
  losses_->take_loss(m, now);
}

void PacketSwitch::reroute(Cycle now) {
  for (PortId in = 0; in < site_.ports; ++in) {
    Input& input = inputs_[in];
    for (std::uint32_t left = input.occupied; left != 0; left &= left - 1) {
      const auto lane = static_cast<VirtualLane>(std::countr_zero(left));
      MessageQueue kept;
      while (!input.queues[lane].empty()) {
        PacketMessage& m = input.queues[lane].pop();
        m.hop = router_.route(site_.sw, in, m);
        if (m.hop.count == 0) {
          drop(in, m, now);
        } else {
          kept.push(m);
        }
      }
      input.queues[lane] = kept;
      if (kept.empty()) input.occupied &= ~(1U << lane);
    }
  }
  look_everywhere(now);
}

void PacketSwitch::look_everywhere(Cycle now) {
  for (PortId in = 0; in < site_.ports; ++in) {
    look_at_[in] = inputs_[in].occupied == 0 ? kNever : std::max(now, inputs_[in].free_at);
  }
  wake_allocator(now);
}

}  // namespace weft
