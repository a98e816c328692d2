// Behaviour of a packet switch when a link goes down or comes back. Semantics: docs/packet_switches.md, "Links that
// fail".

#include <algorithm>

#include "fabrics/packet/common/packet_switch.h"

namespace weft {

void PacketSwitch::set_link(PortId port, bool up, Cycle now) {
  egress_[port].set_link(up, now);
  if (!up && losses_ != nullptr) {
    egress_[port].discard(now, *losses_, true);
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

// While all links are up a message may be routed when its sender decides for it, since any change routes it anew. While
// some are down that would be too early: they may be back before it is routed, and it would have been lost, or counted
// as sent round, for nothing.
void PacketSwitch::route_later(PortId in, PacketMessage& m) {
  m.hop = {.first = 0, .count = 1};  // of no meaning: nobody grants a message before it is ready
  unrouted_.push_back({&m, in});
  common_.domain.schedule(m.ready, Phase::submit, *this, kRoute);
}

void PacketSwitch::route_due(Cycle now) {
  const auto due = std::stable_partition(unrouted_.begin(), unrouted_.end(),
                                         [&](const Unrouted& u) { return u.message->ready != now; });
  const std::vector<Unrouted> routed(due, unrouted_.end());
  unrouted_.erase(due, unrouted_.end());
  for (const auto& [m, in] : routed) {
    m->hop = router_.route(sw_, in, *m);
    if (m->hop.count == 0) {
      remove(in, *m, now);
    } else {
      ask_again(in, now);
    }
  }
}

// When it could ask was not known without its output.
void PacketSwitch::ask_again(PortId in, Cycle now) {
  const Input& input = inputs_[in];
  if (input.occupied != 0) plan_request(in, std::max(now, input.free_at));
}

// It may be behind others that wait.
void PacketSwitch::remove(PortId in, PacketMessage& lost, Cycle now) {
  Input& input = inputs_[in];
  MessageQueue& queue = input.queues[lost.lane];
  const VirtualLane lane = lost.lane;
  MessageQueue kept;
  while (!queue.empty()) {
    PacketMessage& m = queue.pop();
    if (&m != &lost) kept.push(m);
  }
  drop(in, lost, now);
  keep(in, lane, kept);
  ask_again(in, now);
}

void PacketSwitch::keep(PortId in, VirtualLane lane, const MessageQueue& kept) {
  Input& input = inputs_[in];
  input.queues[lane] = kept;
  if (!kept.empty()) return;
  input.occupied &= ~(1U << lane);
  if (input.occupied == 0) wheel_.set_absent(in);
}

void PacketSwitch::reroute(Cycle now) {
  unrouted_.clear();
  for (PortId in = 0; in < ports_; ++in) {
    for (std::uint32_t left = inputs_[in].occupied; left != 0; left &= left - 1) {
      const auto lane = static_cast<VirtualLane>(std::countr_zero(left));
      MessageQueue& queue = inputs_[in].queues[lane];
      MessageQueue kept;
      while (!queue.empty()) {
        PacketMessage& m = queue.pop();
        if (common_.routes_late && m.ready > now) {
          route_later(in, m);
        } else {
          m.hop = router_.route(sw_, in, m);
        }
        if (m.hop.count == 0) {
          drop(in, m, now);
        } else {
          kept.push(m);
        }
      }
      keep(in, lane, kept);
    }
  }
  plan_requests(0, ports_, now);
}

// The link may be back, and may have failed again.
void PacketSwitch::discard_arrived(PortId port, Cycle now) {
  if (egress_[port].down()) egress_[port].discard(now, *losses_, false);
}

}  // namespace weft
