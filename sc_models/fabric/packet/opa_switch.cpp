#include "fabric/packet/opa_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "fabric/packet/switch_steps.h"

namespace weft {

OpaSwitch::OpaSwitch(sc_core::sc_module_name name, const PacketSwitchSite& site, const PacketParameters& parameters,
                     const PacketRouter& router, EgressSchedulerFactory& schedulers, PacketCommon& common)
    : PacketSwitch(name, site, parameters, router, schedulers, common,
                   mports(site, parameters) * parameters.central_links),
      local_(site.ports),
      remote_(site.ports) {
  const std::uint32_t count = mports(site, parameters);
  links_.resize(std::size_t{count} * parameters.central_links);
  for (CentralLink& l : links_) l.queues.resize(parameters.lanes);
  for (std::uint32_t m = 0; m < count; ++m) central_.emplace_back(parameters.central);
  central_wanted_.resize(count);
}

std::int64_t OpaSwitch::promised(PortId out, VirtualLane lane) const {
  std::int64_t sum = 0;
  for (const CentralLink& l : links_) {
    for (const PacketMessage* m = l.queues[lane].front(); m != nullptr; m = m->next.get()) {
      if (m->hop.first == out) sum += m->flits;
    }
  }
  return sum;
}

std::string OpaSwitch::audit() const {
  for (std::uint32_t m = 0; m < mports(); ++m) {
    for (VirtualLane v = 0; v < parameters().lanes; ++v) {
      std::int64_t held = 0;
      for (std::uint32_t k = 0; k < parameters().central_links; ++k) {
        held += links_[m * parameters().central_links + k].queues[v].flits();
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
  const std::uint32_t count = parameters().central_links;
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
  const PacketMessage& m = input.queues[lane].head();
  if (m.ready > now) {
    retry = std::min(retry, m.ready);
    return false;
  }
  bool link_sought = false;  // the same for all ports
  std::optional<std::uint32_t> link;
  return visit_trunk(input, m.hop, [&](PortId port, std::uint32_t offset) {
    std::uint32_t resource = port;
    if (mport_of(port) == mport_of(in)) {
      if (now < local_[port].free_at) {
        retry = std::min(retry, local_[port].free_at);
        return false;
      }
      if (!has_room(port, m, now, retry)) return false;
    } else {
      if (!link_sought) link = free_link(in, m, now, retry);
      link_sought = true;
      if (!link || !has_room(port, m, now, retry)) return false;
      resource = number_of(*link);
    }
    lists().requests.push_back({in, lane, resource, port, offset});
    return true;
  });
}

template <class Fits>
const OpaSwitch::Request* OpaSwitch::winner(std::uint32_t resource, std::uint32_t next, std::uint32_t askers,
                                            Fits&& fits) const {
  const Request* best = nullptr;
  std::uint32_t best_turn = 0;
  for (const Request& r : lists().requests) {
    if (r.resource != resource) continue;
    const std::uint32_t turn = r.from >= next ? r.from - next : r.from + askers - next;
    if ((best != nullptr && turn >= best_turn) || !fits(r)) continue;
    best = &r;
    best_turn = turn;
  }
  return best;
}

void OpaSwitch::grant_first(std::uint32_t resource, Cycle now) {
  const bool local = resource < ports_;
  Resource& output = local ? local_[resource] : links_[resource - ports_].entry;
  // An earlier grant of this cycle may have taken the room.
  const auto fits = [&](const Request& r) {
    const PacketMessage& m = inputs_[r.from].queues[r.lane].head();
    SharedBuffer& central = central_[mport_of(static_cast<PortId>(r.from))];
    return egress_[r.port].space().lacking(m.hop.lane, need(m), now) <= 0 &&
           (local || central.lacking(m.hop.lane, m.flits, now) <= 0);
  };
  const Request* r = winner(resource, output.next, ports_, fits);
  if (r == nullptr) return;
  const auto in = static_cast<PortId>(r->from);
  Input& input = inputs_[in];
  PacketMessage& m = input.queues[r->lane].head();
  const Drain moves = take_head(in, r->lane, local ? parameters().crossbar_rate : parameters().central_rate, now);
  if (m.hop.count > 1) input.next_trunk = static_cast<std::uint16_t>(r->offset + 1);
  output.free_at = input.free_at;
  output.next = in + 1U;
  egress_[r->port].reserve(m.hop.lane, m.flits);
  if (local) {
    to_egress(r->port, m, moves);
    return;
  }
  const std::uint32_t number = resource - ports_;
  input.next_central = number % parameters().central_links + 1;
  central_[mport_of(in)].take(m.hop.lane, m.flits);
  m.hop.first = r->port;
  m.lane = m.hop.lane;
  const Cycle crossbar = parameters().stages.crossbar;
  m.comes(m.head() + crossbar, moves.start + crossbar);
  CentralLink& link = links_[number];
  link.queues[m.lane].push(m);
  link.occupied |= 1U << m.lane;
  look_at(number_of(number), std::max(m.ready, link.free_at));
}

void OpaSwitch::first_stage(std::uint32_t mport, Cycle now) {
  std::vector<Request>& requests = lists().requests;
  requests.clear();
  ask_inputs(begin_of(mport), end_of(mport), now,
             [&](PortId in, VirtualLane lane, Cycle& retry) { return request(in, lane, now, retry); });
  if (requests.size() <= 1) {
    if (!requests.empty()) grant_first(requests.front().resource, now);
    return;
  }
  std::vector<std::uint32_t>& resources = lists().resources;
  resources.clear();
  for (const Request& r : requests) {
    const auto at = std::lower_bound(resources.begin(), resources.end(), r.resource);
    if (at == resources.end() || *at != r.resource) resources.insert(at, r.resource);
  }
  for (const std::uint32_t resource : resources) grant_first(resource, now);
}

// Central links ask for output ports.
void OpaSwitch::ask_links(Cycle now) {
  const auto links = static_cast<std::uint32_t>(links_.size());
  looks_.take(now, number_of(0), number_of(links), [&](std::uint32_t number) {
    const std::uint32_t l = number - number_of(0);
    const CentralLink& link = links_[l];
    if (link.free_at > now) return;  // it is looked at again then
    Cycle retry = kNever;
    const bool asks = visit_cyclic(link.occupied, link.next_lane, [&](VirtualLane lane) {
      const PacketMessage& m = link.queues[lane].head();
      const Cycle possible = std::max(m.ready, remote_[m.hop.first].free_at);
      if (possible > now) {
        retry = std::min(retry, possible);
        return false;
      }
      lists().requests.push_back({l, lane, m.hop.first, m.hop.first, 0});
      return true;
    });
    if (!asks && retry != kNever) look_at(number, retry);
  });
}

void OpaSwitch::second_stage(Cycle now) {
  lists().requests.clear();
  ask_links(now);
  const auto askers = static_cast<std::uint32_t>(links_.size());
  for (const Request& asked : lists().requests) {
    const PortId port = asked.port;
    Resource& output = remote_[port];
    if (now < output.free_at) {  // granted a moment ago
      look_at(number_of(asked.from), std::max(now + 1, links_[asked.from].free_at));
      continue;
    }
    const Request& r = *winner(port, output.next, askers, [](const Request&) { return true; });
    CentralLink& link = links_[r.from];
    PacketMessage& m = link.queues[r.lane].pop();
    if (link.queues[r.lane].empty()) link.occupied &= ~(1U << r.lane);
    const Drain moves{now + parameters().stages.allocation, m.head(), parameters().central_rate, m.flits};
    const std::uint32_t mport = mport_of_link(r.from);
    central_[mport].add(m.lane, moves, now);
    if (central_wanted_[mport]) {  // its space comes back
      central_wanted_[mport] = false;
      look_at_all(begin_of(mport), end_of(mport), moves.start);
    }
    link.free_at = output.free_at = free_after(moves);
    if (link.occupied != 0) look_at(number_of(r.from), std::max(now + 1, link.free_at));
    if (r.from != asked.from) look_at(number_of(asked.from), now + 1);
    link.next_lane = r.lane + 1U;
    output.next = r.from + 1U;
    ++common_.grants;
    to_egress(port, m, moves);
  }
}

// What is kept of the resources that the messages ask for.
void OpaSwitch::fetch_hops(std::uint32_t number, Cycle now) const {
  if (number >= number_of(0)) {  // a central link, whose messages have chosen their ports
    const CentralLink& link = links_[number - number_of(0)];
    if (link.free_at > now) return;
    central_[mport_of_link(number - number_of(0))].fetch();
    visit_fronts(link, [&](const PacketMessage& m) {
      prefetch(&remote_[m.hop.first]);
      return false;
    });
    return;
  }
  const Input& input = inputs_[number];
  if (input.free_at > now) return;
  const std::uint32_t mport = mport_of(static_cast<PortId>(number));
  visit_fronts(input, [&](const PacketMessage& m) {
    if (mport_of(m.hop.first) == mport) {
      prefetch(&local_[m.hop.first]);
    } else {
      central_[mport].fetch();
      const std::uint32_t count = parameters().central_links;
      prefetch(&links_[mport * count + input.next_central % count]);
    }
    return false;
  });
}

// The output it is likely to get.
void OpaSwitch::fetch_port(std::uint32_t number, Cycle now) const {
  if (number >= number_of(0)) {
    const CentralLink& link = links_[number - number_of(0)];
    if (link.free_at > now) return;
    central_[mport_of_link(number - number_of(0))].fetch_more();
    visit_fronts(link, [&](const PacketMessage& m) {
      if (m.ready > now) return false;
      egress_[m.hop.first].fetch();
      return true;
    });
    return;
  }
  const Input& input = inputs_[number];
  if (input.free_at > now) return;
  central_[mport_of(static_cast<PortId>(number))].fetch_more();
  visit_fronts(input, [&](const PacketMessage& m) {
    if (m.ready > now) return false;
    return visit_trunk(input, m.hop, [&](PortId port, std::uint32_t) {
      egress_[port].fetch();
      input.credits.fetch();
      return true;
    });
  });
}

void OpaSwitch::serve(Cycle now) {
  // MPorts with something to look at, in turn from another one in every cycle.
  std::vector<std::uint32_t>& due = lists().due;
  due.clear();
  looks_.peek(now, [&](std::uint32_t number) {
    if (number >= number_of(0)) return;
    const std::uint32_t mport = mport_of(static_cast<PortId>(number));
    if (due.empty() || due.back() != mport) due.push_back(mport);
  });
  const auto first = std::lower_bound(due.begin(), due.end(), static_cast<std::uint32_t>(now % mports()));
  std::rotate(due.begin(), first, due.end());
  for (const std::uint32_t mport : due) first_stage(mport, now);
  second_stage(now);
  look_at_losers(now, [now](PortId) { return now + 1; });
}

void OpaSwitch::serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const {
  allocate_all<OpaSwitch>(list, now, fetches, lists());
}

}  // namespace weft
