#include "fabric/packet/opa_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace weft {

OpaSwitch::OpaSwitch(sc_core::sc_module_name name, const PacketSwitchSite& site, const PacketParameters& parameters,
                     const PacketRouter& router, EgressSchedulerFactory& schedulers, EgressCommon& common)
    : PacketSwitch(name, site, parameters, router, schedulers, common), local_(site.ports), remote_(site.ports) {
  const std::uint32_t mports = (site.ports + parameters.mport_ports - 1) / parameters.mport_ports;
  links_.resize(std::size_t{mports} * parameters.central_links);
  for (CentralLink& l : links_) l.queues.resize(parameters.lanes);
  for (std::uint32_t m = 0; m < mports; ++m) central_.emplace_back(parameters.central);
  central_wanted_.resize(mports);
}

std::int64_t OpaSwitch::promised(PortId out, VirtualLane lane) const {
  std::int64_t sum = 0;
  for (const CentralLink& l : links_) {
    for (const PacketMessage* m = l.queues[lane].front(); m != nullptr; m = m->next) {
      if (m->hop.first == out) sum += m->flits;
    }
  }
  return sum;
}

std::string OpaSwitch::audit() const {
  for (std::uint32_t m = 0; m < mports(); ++m) {
    for (VirtualLane v = 0; v < parameters_.lanes; ++v) {
      std::int64_t held = 0;
      for (std::uint32_t k = 0; k < parameters_.central_links; ++k) {
        held += links_[m * parameters_.central_links + k].queues[v].flits();
      }
      if (central_[m].held(v) != held) {
        return fmt::format("central buffer {} VL {}: {} flits in use for {} flits of messages", m, v,
                           central_[m].held(v), held);
      }
    }
  }
  return {};
}

std::optional<std::uint32_t> OpaSwitch::free_link(PortId in, const PacketMessage& m, Cycle now, Cycle& retry) {
  const std::uint32_t mport = mport_of(in);
  SharedBuffer& buffer = central_[mport];
  const std::int64_t lacking = buffer.lacking(m.hop.lane, m.flits, now);
  if (lacking > 0) {
    central_wanted_[mport] = true;
    if (buffer.draining()) retry = std::min(retry, buffer.earliest(now, lacking));
    return std::nullopt;
  }
  const std::uint32_t count = parameters_.central_links;
  std::uint32_t k = inputs_[in].next_central % count;
  for (std::uint32_t i = 0; i < count; ++i, k = k + 1 == count ? 0 : k + 1) {
    const std::uint32_t link = mport * count + k;
    if (now >= links_[link].entry.free_at) return link;
    retry = std::min(retry, links_[link].entry.free_at);
  }
  return std::nullopt;
}

// The head of a VL asks for a port of its MPort or for a central link; false if it cannot.
bool OpaSwitch::request(PortId in, VirtualLane lane, Cycle now, Cycle& retry) {
  const Input& input = inputs_[in];
  const PacketMessage& m = *input.queues[lane].front();
  if (m.ready > now) {
    retry = std::min(retry, m.ready);
    return false;
  }
  const std::uint32_t count = m.hop.count;
  std::uint32_t offset = count == 1 ? 0 : input.next_trunk % count;
  for (std::uint32_t i = 0; i < count; ++i, offset = offset + 1 == count ? 0 : offset + 1) {
    const auto port = static_cast<PortId>(m.hop.first + offset);
    std::uint32_t resource = port;
    if (mport_of(port) == mport_of(in)) {
      if (now < local_[port].free_at) {
        retry = std::min(retry, local_[port].free_at);
        continue;
      }
      if (!has_room(port, m, now, retry)) continue;
    } else {
      if (!has_room(port, m, now, retry)) continue;
      const auto link = free_link(in, m, now, retry);
      if (!link) continue;
      resource = site_.ports + *link;
    }
    requests_.push_back({in, lane, resource, port, offset});
    return true;
  }
  return false;
}

template <class Fits>
const OpaSwitch::Request* OpaSwitch::winner(std::uint32_t resource, std::uint32_t next, std::uint32_t askers,
                                            Fits&& fits) const {
  const Request* best = nullptr;
  std::uint32_t best_turn = 0;
  for (const Request& r : requests_) {
    if (r.resource != resource) continue;
    const std::uint32_t turn = r.from >= next ? r.from - next : r.from + askers - next;
    if ((best != nullptr && turn >= best_turn) || !fits(r)) continue;
    best = &r;
    best_turn = turn;
  }
  return best;
}

void OpaSwitch::grant_first(std::uint32_t resource, Cycle now) {
  const bool local = resource < site_.ports;
  Resource& output = local ? local_[resource] : links_[resource - site_.ports].entry;
  // An earlier grant of this cycle may have taken the room.
  const auto fits = [&](const Request& r) {
    const PacketMessage& m = *inputs_[r.from].queues[r.lane].front();
    SharedBuffer& central = central_[mport_of(static_cast<PortId>(r.from))];
    return egress_[r.port]->space().lacking(m.hop.lane, need(m), now) <= 0 &&
           (local || central.lacking(m.hop.lane, m.flits, now) <= 0);
  };
  const Request* r = winner(resource, output.next, site_.ports, fits);
  if (r == nullptr) return;
  const auto in = static_cast<PortId>(r->from);
  Input& input = inputs_[in];
  PacketMessage& m = *input.queues[r->lane].front();
  const Drain moves = take_head(in, r->lane, local ? parameters_.crossbar_rate : parameters_.central_rate, now);
  if (m.hop.count > 1) input.next_trunk = static_cast<std::uint16_t>(r->offset + 1);
  output.free_at = input.free_at;
  output.next = in + 1U;
  egress_[r->port]->reserve(m.hop.lane, m.flits);
  if (local) {
    to_egress(r->port, m, moves);
    return;
  }
  const std::uint32_t number = resource - site_.ports;
  input.next_central = number % parameters_.central_links + 1;
  central_[mport_of(in)].take(m.hop.lane, m.flits);
  m.hop.first = r->port;
  m.lane = m.hop.lane;
  m.head += parameters_.stages.crossbar;
  m.ready = moves.start + parameters_.stages.crossbar;
  CentralLink& link = links_[number];
  link.look_at = std::min(link.look_at, std::max(m.ready, link.free_at));
  link.queues[m.lane].push(m);
  link.occupied |= 1U << m.lane;
}

void OpaSwitch::first_stage(std::uint32_t mport, Cycle now) {
  requests_.clear();
  const auto begin = static_cast<PortId>(mport * parameters_.mport_ports);
  const auto end = static_cast<PortId>(std::min<std::uint32_t>(begin + parameters_.mport_ports, site_.ports));
  ask_inputs(begin, end, now, [&](PortId in, VirtualLane lane, Cycle& next) { return request(in, lane, now, next); });
  if (requests_.empty()) return;
  for (PortId port = begin; port < end; ++port) grant_first(port, now);
  for (std::uint32_t k = 0; k < parameters_.central_links; ++k) {
    grant_first(site_.ports + mport * parameters_.central_links + k, now);
  }
}

Cycle OpaSwitch::second_stage(Cycle now) {
  requests_.clear();
  const auto askers = static_cast<std::uint32_t>(links_.size());
  for (std::uint32_t l = 0; l < askers; ++l) {
    CentralLink& link = links_[l];
    if (link.look_at > now) continue;
    Cycle next = kNever;
    const bool asks = visit_cyclic(link.occupied, link.next_lane, [&](VirtualLane lane) {
      const PacketMessage& m = *link.queues[lane].front();
      const Cycle possible = std::max(m.ready, remote_[m.hop.first].free_at);
      if (possible > now) {
        next = std::min(next, possible);
        return false;
      }
      requests_.push_back({l, lane, m.hop.first, m.hop.first, 0});
      return true;
    });
    link.look_at = asks ? now + 1 : next;
  }
  for (const Request& asked : requests_) {
    const PortId port = asked.port;
    Resource& output = remote_[port];
    if (now < output.free_at) continue;  // granted a moment ago
    const Request& r = *winner(port, output.next, askers, [](const Request&) { return true; });
    CentralLink& link = links_[r.from];
    PacketMessage& m = link.queues[r.lane].pop();
    if (link.queues[r.lane].empty()) link.occupied &= ~(1U << r.lane);
    const Drain moves{now + parameters_.stages.allocation, m.head, parameters_.central_rate, m.flits};
    const std::uint32_t mport = r.from / parameters_.central_links;
    central_[mport].add(m.lane, moves, now);
    if (central_wanted_[mport]) look_again(mport, moves.start);
    link.free_at = output.free_at = free_after(moves);
    link.look_at = link.occupied == 0 ? kNever : std::max(now + 1, link.free_at);
    link.next_lane = r.lane + 1U;
    output.next = r.from + 1U;
    ++grants_;
    to_egress(port, m, moves);
  }
  Cycle next = kNever;
  for (const CentralLink& link : links_) next = std::min(next, link.look_at);
  return next;
}

// Space of a central buffer comes back from cycle `from` on.
void OpaSwitch::look_again(std::uint32_t mport, Cycle from) {
  central_wanted_[mport] = false;
  const std::uint32_t begin = mport * parameters_.mport_ports;
  for (std::uint32_t in = begin; in < std::min<std::uint32_t>(begin + parameters_.mport_ports, site_.ports); ++in) {
    if (inputs_[in].occupied != 0) look_at_[in] = std::min(look_at_[in], std::max(from, inputs_[in].free_at));
  }
}

Cycle OpaSwitch::allocate(Cycle now) {
  const std::uint32_t count = mports();
  std::uint32_t m = static_cast<std::uint32_t>(now % count);
  for (std::uint32_t i = 0; i < count; ++i, m = m + 1 == count ? 0 : m + 1) first_stage(m, now);
  const Cycle central = second_stage(now);
  return std::min(central, next_look());
}

}  // namespace weft
