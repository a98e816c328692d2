#include "fabrics/packet/ib/ib_switch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fabrics/packet/common/switch_steps.h"

namespace weft {

// How long after the pointer an input's turn comes.
std::uint32_t IbSwitch::turn(std::uint32_t in, PortId out) const {
  const std::uint32_t after = next_input_[out];
  return in >= after ? in - after : in + ports_ - after;
}

template <bool kPlain>
void IbSwitch::search_as(AllocationRequest& l, Cycle now, bool room) {
  const Input& input = inputs_[l.number];
  const std::uint32_t rate = parameters().crossbar_rate;
  PacketSwitch::search(input, l, now, [&](const PacketMessage& m) {
    if (!kPlain && !can_grant<kPlain>(input.free_at, l.number, m, rate, now))
      return false;  // not beside what it has been granted
    visit_trunk<kPlain>(input, m, [&](PortId port, std::uint32_t offset) {
      if (drawn<kPlain>(m) && !has_room(port, m, now, l.retry)) return false;
      if (!can_grant<kPlain>(free_at_[port], number_of(port), m, rate, now)) {
        return busy<kPlain>(m, l, free_at_[port], now);
      }
      if (room && !has_room(port, m, now, l.retry)) return false;
      l.port = port;
      l.offset = static_cast<std::uint8_t>(offset);
      return true;
    });
    return l.port != kNoPort;
  });
}

void IbSwitch::search(AllocationRequest& l, Cycle now, bool room) {
  plain() ? search_as<true>(l, now, room) : search_as<false>(l, now, room);
}

// Finds what it will ask for if that has room, and fetches what that needs.
void IbSwitch::choose(AllocationRequest& l, Cycle now) {
  const Input& input = inputs_[l.number];
  if (input.free_at > now) return;  // it is looked at again then
  search(l, now, false);
  if (l.port == kNoPort) return;
  egress_[l.port].fetch();
  input.credits.fetch();
}

// The first cycle from `from` on in which one of its heads can be ready while an output it may ask for is free.
Cycle IbSwitch::soonest(PortId in, Cycle from) const {
  const Input& input = inputs_[in];
  Cycle found = kNever;
  visit_fronts(input, [&](const PacketMessage& m) {
    Cycle free_at = kNever;
    visit_trunk<false>(input, m, [&](PortId port, std::uint32_t) {
      free_at = std::min(free_at, free_at_[port]);
      return free_at <= from;
    });
    found = std::min(found, std::max(m.ready, free_at));
    return found <= from;
  });
  return std::max(found, from);
}

// It joins those that ask for its output, or is looked at again later.
void IbSwitch::enter(AllocationRequest& l) {
  if (l.port == kNoPort) {
    if (l.retry != kNever) plan_request(l.number, l.retry);
    return;
  }
  AllocationRequest*& best = lists().winner[l.port];
  if (best == nullptr) lists().requested.push_back(l.port);
  if (best == nullptr || turn(l.number, l.port) < turn(best->number, l.port)) best = &l;
}

// Each output that is asked for grants the input whose turn comes first.
void IbSwitch::grant(Cycle now) {
  for (const PortId port : lists().requested) {
    AllocationRequest& l = *std::exchange(lists().winner[port], nullptr);
    const auto in = static_cast<PortId>(l.number);
    Input& input = inputs_[in];
    PacketMessage& m = input.queues[l.lane].head();
    const Drain moves = take_head(in, l.lane, parameters().crossbar_rate, now);
    if (m.hop.count > 1) input.next_trunk = static_cast<std::uint16_t>(l.offset + 1);
    free_at_[port] = input.free_at;
    next_input_[port] = static_cast<std::uint8_t>(in + 1U == ports_ ? 0 : in + 1U);
    egress_[port].reserve(m.hop.lane, m.flits);
    l.granted = true;
    note_grant(in, number_of(port), moves);
    to_egress(port, m, moves);
  }
  lists().requested.clear();
}

void IbSwitch::serve(std::span<AllocationRequest> requests, Cycle now) {
  for (AllocationRequest& l : requests) {
    if (l.port != kNoPort && !has_room(l.port, inputs_[l.number].queues[l.lane].head(), now, l.retry)) {
      search(l, now, true);
    }
    enter(l);
  }
  grant(now);
  iterate([&](bool last) {
    for (AllocationRequest& l : requests) {
      if (!asks_again(l, lists().shared.used(l.number), inputs_[l.number]) || last) continue;
      search(l, now, true);
      enter(l);
    }
    grant(now);
  });
  replan_losers(requests, now, [&](PortId in) { return soonest(in, now + 1); });
}

void IbSwitch::serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const {
  allocate_all<IbSwitch>(list, now, fetches, lists());
}

}  // namespace weft
