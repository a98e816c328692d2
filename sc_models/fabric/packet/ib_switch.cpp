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
  const PacketMessage& m = input.queues[lane].head();
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

// The first cycle from `from` on in which one of its heads can be ready while an output it may ask for is free.
Cycle IbSwitch::soonest(PortId in, Cycle from) const {
  const Input& input = inputs_[in];
  Cycle found = kNever;
  visit_fronts(input, [&](const PacketMessage& m) {
    Cycle free_at = kNever;
    visit_trunk(input, m.hop, [&](PortId port, std::uint32_t) {
      free_at = std::min(free_at, output(port).free_at);
      return free_at <= from;
    });
    found = std::min(found, std::max(m.ready, free_at));
    return found <= from;
  });
  return std::max(found, from);
}

void IbSwitch::serve(Cycle now) {
  std::vector<PortId>& requested = lists().requested;
  requested.clear();
  ask_inputs(0, ports_, now, [&](PortId in, VirtualLane lane, Cycle& retry) { return request(in, lane, now, retry); });
  for (const PortId port : requested) {
    Output& o = output(port);
    Input& input = inputs_[o.winner];
    PacketMessage& m = input.queues[o.lane].head();
    const Drain moves = take_head(o.winner, o.lane, parameters().crossbar_rate, now);
    if (m.hop.count > 1) input.next_trunk = static_cast<std::uint16_t>(o.offset + 1);
    o.free_at = input.free_at;
    o.next_input = static_cast<PortId>(o.winner + 1);
    o.winner = kNoPort;
    egress_[port].reserve(m.hop.lane, m.flits);
    to_egress(port, m, moves);
  }
  look_at_losers(now, [&](PortId in) { return soonest(in, now + 1); });
}

void IbSwitch::serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const {
  allocate_all<IbSwitch>(list, now, fetches, lists());
}

// What is kept of the outputs that the messages ask for.
void IbSwitch::fetch_hops(std::uint32_t in, Cycle now) const {
  const Input& input = inputs_[in];
  if (input.free_at > now) return;
  visit_fronts(input, [&](const PacketMessage& m) {
    const OutputLine* const first = &outputs_[m.hop.first / 4];
    prefetch(first, &output(static_cast<PortId>(m.hop.first + m.hop.count - 1)) + 1);
    return false;
  });
}

// The output it is likely to get.
void IbSwitch::fetch_port(std::uint32_t in, Cycle now) const {
  const Input& input = inputs_[in];
  if (input.free_at > now) return;
  visit_fronts(input, [&](const PacketMessage& m) {
    if (m.ready > now) return false;
    return visit_trunk(input, m.hop, [&](PortId port, std::uint32_t) {
      if (output(port).free_at > now) return false;
      egress_[port].fetch();
      input.credits.fetch();
      return true;
    });
  });
}

}  // namespace weft
