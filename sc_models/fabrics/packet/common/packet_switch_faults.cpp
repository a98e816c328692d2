// Behaviour of a packet switch when a link goes down or comes back. Semantics: docs/packet_switches.md, "Links that
// fail".

#include <algorithm>

#include "fabrics/packet/common/packet_switch.h"

namespace weft {

void PacketSwitch::set_link(PortId port, bool up, Cycle now) {
  egress_[port].set_link(up, now);
  if (!up && losses_ != nullptr) {
    egress_[port].discard(now, *losses_);
    space_coming(port, now);
  }
  if (up) plan_requests(0, ports_, now);
}

// The space of a message that is not taken on comes back as if its flits went on one per cycle.
void PacketSwitch::drop(PortId in, PacketMessage& m, Cycle now) {
  const Cycle flight = parameters().stages.credit;
  give_credits_back(in, m.lane, {std::max(now, m.ready) + flight, m.head() + flight, 1, m.flits});
  losses_->take_loss(m, now);
}

void PacketSwitch::reroute(Cycle now) {
  for (PortId in = 0; in < ports_; ++in) {
    Input& input = inputs_[in];
    for (std::uint32_t left = input.occupied; left != 0; left &= left - 1) {
      const auto lane = static_cast<VirtualLane>(std::countr_zero(left));
      MessageQueue kept;
      while (!input.queues[lane].empty()) {
        PacketMessage& m = input.queues[lane].pop();
        m.hop = router_.route(sw_, in, m);
        if (m.hop.count == 0) {
          drop(in, m, now);
        } else {
          kept.push(m);
        }
      }
      input.queues[lane] = kept;
      if (kept.empty()) input.occupied &= ~(1U << lane);
    }
    if (input.occupied == 0) wheel_.set_absent(in);
  }
  plan_requests(0, ports_, now);
}

}  // namespace weft
