#include "fabric/packet/ib_switch.h"

#include <algorithm>

#include "fabric/packet/switch_steps.h"

namespace weft {

// How long after the pointer an input's turn comes.
std::uint32_t IbSwitch::turn(PortId in, const Output& o) const {
  const std::uint32_t after = o.next_input;
  return in >= after ? in - after : in + ports_ - after;
}

// The head of a VL asks for an output; false if it cannot.
bool IbSwitch::request(PortId in, VirtualLane lane, Cycle now, Cycle& retry) {
  const Input& input = inputs_[in];
  const PacketMessage& m = *input.queues[lane].front();
  if (m.ready > now) {
    retry = std::min(retry, m.ready);
    return false;
  }
  return visit_trunk(input, m.hop, [&](PortId port, std::uint32_t offset) {
    Output& o = output(port);
    if (now < o.free_at) {
      retry = std::min(retry, o.free_at);
      return false;
    }
    if (!has_room(port, m, now, retry)) return false;
    if (o.winner == kNoPort) {
      lists().requested.push_back(port);
    } else if (turn(o.winner, o) < turn(in, o)) {
      return true;
    }
    o.winner = in;
    o.offset = static_cast<std::uint8_t>(offset);
    o.lane = lane;
    return true;
  });
}

void IbSwitch::serve(Cycle now) {
  std::vector<PortId>& requested = lists().requested;
  requested.clear();
  ask_inputs(0, ports_, now, [&](PortId in, VirtualLane lane, Cycle& retry) { return request(in, lane, now, retry); });
  for (const PortId port : requested) {
    Output& o = output(port);
    Input& input = inputs_[o.winner];
    PacketMessage& m = *input.queues[o.lane].front();
    const Drain moves = take_head(o.winner, o.lane, parameters().crossbar_rate, now);
    if (m.hop.count > 1) input.next_trunk = static_cast<std::uint16_t>(o.offset + 1);
    o.free_at = input.free_at;
    o.next_input = static_cast<PortId>(o.winner + 1);
    o.winner = kNoPort;
    egress_[port].reserve(m.hop.lane, m.flits);
    to_egress(port, m, moves);
  }
  look_at_losers(now);
}

void IbSwitch::serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const {
  allocate_all<IbSwitch>(list, now, fetches, lists());
}

void IbSwitch::fetch_hops(std::span<const Look> heads) {
  for (const Look& l : heads) {
    const PacketHop& hop = l.head->hop;
    const auto& sw = static_cast<const IbSwitch&>(*l.sw);
    const OutputLine* const first = &sw.outputs_[hop.first / 4];
    prefetch(first, &sw.output(static_cast<PortId>(hop.first + hop.count - 1)) + 1);
  }
}

void IbSwitch::fetch_ports(std::span<const Look> heads, Cycle now) {
  fetch_likely(heads, now, [now](const Look& l) {
    const auto& sw = static_cast<const IbSwitch&>(*l.sw);
    const Input& input = sw.inputs_[l.number];
    const PacketHop& hop = l.head->hop;
    return visit_trunk(input, hop, [&](PortId port, std::uint32_t) {
      if (sw.output(port).free_at > now) return false;
      sw.egress_[port].fetch_space(hop.lane);
      input.credits.fetch();
      return true;
    });
  });
}

}  // namespace weft
