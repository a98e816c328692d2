#include "fabrics/packet/opa/opa_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "fabrics/packet/common/switch_steps.h"

namespace weft {

OpaSwitch::OpaSwitch(sc_core::sc_module_name name, const SwitchSite& site, const PacketParameters& parameters,
                     const PacketRouter& router, EgressSchedulerFactory& schedulers, PacketCommon& common)
    : OpaSwitch(name, site, parameters, std::any_cast<const OpaParameters&>(parameters.own), router, schedulers,
                common) {}

OpaSwitch::OpaSwitch(sc_core::sc_module_name name, const SwitchSite& site, const PacketParameters& parameters,
                     const OpaParameters& own, const PacketRouter& router, EgressSchedulerFactory& schedulers,
                     PacketCommon& common)
    : PacketSwitch(name, site, parameters, router, schedulers, common, mports(site, own) * own.central_links),
      mports_(mports(site, own)),
      mport_ports_(own.mport_ports),
      central_links_(own.central_links),
      central_rate_(own.central_rate),
      free_at_(make_hot_array<FreeAt>(site.ports, kHotStep)),
      next_(make_hot_array<Next>(site.ports, kHotStep)),
      links_(std::make_unique<CentralLink[]>(std::size_t{mports_} * own.central_links)),
      central_(std::make_unique<SharedBuffer[]>(mports_)),
      transfers_(own.central_messages == 1 ? nullptr : std::make_unique<CentralTransfers[]>(2 * links().size())) {
  if (own.central_links > kMaxCentralLinks) {
    throw std::invalid_argument(fmt::format("an MPort has at most {} central links", kMaxCentralLinks));
  }
  if (own.central_messages < 1 || own.central_messages > own.central_rate) {
    throw std::invalid_argument("a central link has from one message to one per flit of its rate");
  }
  for (CentralLink& l : links()) l.queues.resize(parameters.lanes);
  for (std::uint32_t m = 0; m < mports_; ++m) central_[m] = SharedBuffer(own.central);
  for (std::size_t i = 0; transfers_ != nullptr && i < 2 * links().size(); ++i) {
    transfers_[i] = CentralTransfers(own.central_messages, own.central_rate);
  }
}

std::int64_t OpaSwitch::promised(PortId out, VirtualLane lane) const {
  std::int64_t sum = 0;
  for (const CentralLink& l : links()) {
    for (const PacketMessage* m = l.queues[lane].front(); m != nullptr; m = m->next.get()) {
      if (m->hop.first == out) sum += common_.places(lane, m->flits);
    }
  }
  return sum;
}

std::string OpaSwitch::audit() const {
  for (std::uint32_t m = 0; m < mports(); ++m) {
    for (VirtualLane v = 0; v < parameters().lanes; ++v) {
      std::int64_t held = 0;
      for (std::uint32_t k = 0; k < central_links_; ++k) {
        held += links_[m * central_links_ + k].queues[v].flits();
      }
      if (central_[m].held(v) != held) {
        return fmt::format("central buffer {} VL {}: {} flits in use for {} flits of messages", m, v,
                           central_[m].held(v), held);
      }
    }
  }
  return {};
}

template <bool kPlain>
std::optional<std::uint32_t> OpaSwitch::free_link(PortId in, std::uint32_t mport, const PacketMessage& m, Cycle now,
                                                  Cycle& retry) const {
  const std::uint32_t count = central_links_;
  std::uint32_t k = inputs_[in].next_own;
  for (std::uint32_t i = 0; i < count; ++i, k = k + 1 == count ? 0 : k + 1) {
    const std::uint32_t link = mport * count + k;
    const std::size_t side = entry_number(link);
    const std::uint32_t rate = rate_of<kPlain>(side, now);
    if (!kPlain && !can_grant<kPlain>(inputs_[in].free_at, in, m, rate, now))
      continue;  // not beside what it has been granted
    if (can_grant<kPlain>(links_[link].entry_free_at, side, m, rate, now)) return link;
    retry = std::min(retry, links_[link].entry_free_at);
  }
  return std::nullopt;
}

bool OpaSwitch::central_has_room(std::uint32_t mport, const PacketMessage& m, Cycle now, Cycle& retry) {
  SharedBuffer& buffer = central_[mport];
  const std::int64_t lacking = buffer.lacking(m.hop.lane, m.flits, now);
  if (lacking <= 0) return true;
  buffer.want(true);
  if (buffer.draining()) retry = std::min(retry, buffer.earliest(now, lacking));
  return false;
}

// Whether what it asks for has room.
bool OpaSwitch::has_rooms(AllocationRequest& l, std::uint32_t mport, Cycle now) {
  const PacketMessage& m = inputs_[l.number].queues[l.lane].head();
  if (is_link(l.resource) && !central_has_room(mport, m, now, l.retry)) return false;
  return has_room(l.port, m, now, l.retry);
}

template <bool kPlain>
void OpaSwitch::search_as(AllocationRequest& l, std::uint32_t mport, Cycle now, bool rooms) {
  const auto in = static_cast<PortId>(l.number);
  const Input& input = inputs_[in];
  PacketSwitch::search(input, l, now, [&](const PacketMessage& m) {
    bool link_sought = false;  // the same for all ports
    std::optional<std::uint32_t> link;
    visit_trunk<kPlain>(input, m, [&](PortId port, std::uint32_t offset) {
      if (drawn<kPlain>(m) && !has_room(port, m, now, l.retry)) return false;
      l.resource = port;
      if (is_of(port, mport)) {
        const std::uint32_t rate = parameters().crossbar_rate;
        if (!kPlain && !can_grant<kPlain>(input.free_at, in, m, rate, now)) return drawn<kPlain>(m);
        if (!can_grant<kPlain>(free_at_[port].local, local_number(port), m, rate, now)) {
          return busy<kPlain>(m, l, free_at_[port].local, now);
        }
      } else {
        if (!link_sought && (!rooms || central_has_room(mport, m, now, l.retry))) {
          link = free_link<kPlain>(in, mport, m, now, l.retry);
        }
        link_sought = true;
        if (!link) return busy<kPlain>(m, l, kNever, now);
        l.resource = number_of(*link);
      }
      if (rooms && !has_room(port, m, now, l.retry)) return false;
      l.port = port;
      l.offset = static_cast<std::uint8_t>(offset);
      return true;
    });
    return l.port != kNoPort;
  });
}

void OpaSwitch::search(AllocationRequest& l, std::uint32_t mport, Cycle now, bool rooms) {
  plain() ? search_as<true>(l, mport, now, rooms) : search_as<false>(l, mport, now, rooms);
}

template <class Fits>
AllocationRequest* OpaSwitch::winner(std::uint32_t resource, std::uint32_t next, std::uint32_t askers,
                                     Fits&& fits) const {
  AllocationRequest* best = nullptr;
  std::uint32_t best_turn = 0;
  for (AllocationRequest* const r : lists().stage_requests) {
    if (r->resource != resource) continue;
    const std::uint32_t turn = r->number >= next ? r->number - next : r->number + askers - next;
    if ((best != nullptr && turn >= best_turn) || !fits(*r)) continue;
    best = r;
    best_turn = turn;
  }
  return best;
}

void OpaSwitch::grant_first(std::uint32_t resource, std::uint32_t mport, Cycle now) {
  const bool local = !is_link(resource);
  Cycle& free_at = local ? free_at_[resource].local : link_of(resource).entry_free_at;
  std::uint16_t& next = local ? next_[resource].local : link_of(resource).entry_next;
  // An earlier grant of this cycle may have taken the room.
  const auto fits = [&](const AllocationRequest& r) {
    const PacketMessage& m = inputs_[r.number].queues[r.lane].head();
    return egress_[r.port].space().lacking(m.hop.lane, need(m), now) <= 0 &&
           (local || central_[mport].lacking(m.hop.lane, m.flits, now) <= 0);
  };
  AllocationRequest* const r = winner(resource, next, ports_, fits);
  if (r == nullptr) return;
  r->granted = true;
  const auto in = static_cast<PortId>(r->number);
  Input& input = inputs_[in];
  PacketMessage& m = input.queues[r->lane].head();
  const std::uint32_t link_number = local ? 0 : resource - number_of(0);
  const std::uint32_t rate = local ? parameters().crossbar_rate : rate_of<false>(entry_number(link_number), now);
  const Drain moves = take_head(in, r->lane, rate, now);
  if (m.hop.count > 1) input.next_trunk = static_cast<std::uint16_t>(r->offset + 1);
  free_at = local ? input.free_at : note_transfer(entry_number(link_number), moves, now);
  next = static_cast<std::uint16_t>(in + 1U);
  note_grant(in, local ? local_number(r->port) : entry_number(link_number), moves);
  egress_[r->port].reserve(m.hop.lane, m.flits);
  if (local) {
    to_egress(r->port, m, moves);
    return;
  }
  const std::uint32_t following = resource + 1 - number_of(mport * central_links_);
  input.next_own = static_cast<std::uint8_t>(following == central_links_ ? 0 : following);
  central_[mport].take(m.hop.lane, m.flits);
  m.hop.first = r->port;
  m.hop.count = static_cast<std::uint16_t>(rate);  // see rate_in()
  m.lane = m.hop.lane;
  const Cycle crossbar = parameters().stages.crossbar;
  m.comes(m.head() + crossbar, moves.start + crossbar);
  CentralLink& link = link_of(resource);
  link.queues[m.lane].push(m);
  link.occupied |= 1U << m.lane;
  plan_request(resource, std::max(m.ready, link.free_at));
}

Cycle OpaSwitch::note_transfer(std::size_t side, const Drain& moves, Cycle now) {
  if (transfers_ == nullptr) return free_after(moves);
  CentralTransfers& transfers = transfers_of(side);
  transfers.add(moves);
  return now + transfers.next_start(moves.start) - moves.start;
}

void OpaSwitch::enter(AllocationRequest& l) {
  if (l.port != kNoPort) {
    lists().stage_requests.push_back(&l);
  } else if (l.retry != kNever) {
    plan_request(l.number, l.retry);
  }
}

template <class Grant>
void OpaSwitch::grant_all(Grant&& grant) {
  const std::vector<AllocationRequest*>& asking = lists().stage_requests;
  if (asking.size() <= 1) {
    if (!asking.empty()) grant(asking.front()->resource);
    return;
  }
  std::vector<std::uint32_t>& resources = lists().resources;
  resources.clear();
  for (const AllocationRequest* const r : asking) {
    const auto at = std::lower_bound(resources.begin(), resources.end(), r->resource);
    if (at == resources.end() || *at != r->resource) resources.insert(at, r->resource);
  }
  for (const std::uint32_t resource : resources) grant(resource);
}

void OpaSwitch::first_stage(std::uint32_t mport, std::span<AllocationRequest> requests, Cycle now) {
  const auto grant = [&] { grant_all([&](std::uint32_t resource) { grant_first(resource, mport, now); }); };
  lists().stage_requests.clear();
  for (AllocationRequest& l : requests) {
    if (l.port != kNoPort && !has_rooms(l, mport, now)) {
      search(l, mport, now, true);
    }
    enter(l);
  }
  grant();
  iterate([&](bool last) {
    lists().stage_requests.clear();
    for (AllocationRequest& l : requests) {
      if (!asks_again(l, lists().shared.used(l.number), inputs_[l.number]) || last) continue;
      search(l, mport, now, true);
      enter(l);
    }
    grant();
  });
}

// Finds what a central link asks for: the first head in its turn that is in the buffer and has a free output.
template <bool kPlain>
void OpaSwitch::search_link_as(AllocationRequest& l, Cycle now) const {
  const CentralLink& link = link_of(l.number);
  l.port = kNoPort;
  l.retry = kNever;
  visit_fronts(link, [&](const PacketMessage& m) {
    const PortId port = m.hop.first;
    const std::size_t side = exit_number(l.number - number_of(0));
    const std::uint32_t rate = rate_of<kPlain>(side, m, now);
    if (m.ready > now || !can_grant<kPlain>(link.free_at, side, m, rate, now) ||
        !can_grant<kPlain>(free_at_[port].remote, remote_number(port), m, rate, now)) {
      l.retry = std::min(l.retry, std::max({m.ready, free_at_[port].remote, now + 1}));
      return false;
    }
    l.lane = m.lane;
    l.resource = l.port = port;
    return true;
  });
}

void OpaSwitch::search_link(AllocationRequest& l, Cycle now) const {
  plain() ? search_link_as<true>(l, now) : search_link_as<false>(l, now);
}

void OpaSwitch::grant_second(PortId port, Cycle now) {
  std::uint16_t& next = next_[port].remote;
  const auto askers = static_cast<std::uint32_t>(links().size());
  AllocationRequest& r = *winner(port, number_of(next), askers, [](const AllocationRequest&) { return true; });
  CentralLink& link = link_of(r.number);
  PacketMessage& m = link.queues[r.lane].pop();
  if (link.queues[r.lane].empty()) link.occupied &= ~(1U << r.lane);
  const std::size_t side = exit_number(r.number - number_of(0));
  const Drain moves = moves_of(m, rate_of<false>(side, m, now), now);
  const std::uint32_t mport = mport_of(r);
  central_[mport].add(m.lane, moves, now);
  if (central_[mport].wanted()) {  // its space comes back
    central_[mport].want(false);
    plan_requests(begin_of(mport), end_of(mport), moves.start);
  }
  link.free_at = note_transfer(side, moves, now);
  free_at_[port].remote = free_after(moves);
  link.next_lane = static_cast<VirtualLane>(r.lane + 1U);
  next = static_cast<std::uint16_t>(r.number - number_of(0) + 1U);
  ++common_.grants;
  r.granted = true;
  note_grant(side, remote_number(port), moves);
  to_egress(port, m, moves);
}

void OpaSwitch::second_stage(std::span<AllocationRequest> requests, Cycle now) {
  const auto grant = [&] {
    if (parameters().iterations == 1) {
      for (const AllocationRequest* const l : lists().stage_requests) {
        if (now >= free_at_[l->port].remote) grant_second(l->port, now);
      }
    } else {
      grant_all([&](std::uint32_t port) { grant_second(static_cast<PortId>(port), now); });
    }
    for (const AllocationRequest* const l : lists().stage_requests) {  // those that have asked are looked at again
      const CentralLink& link = link_of(l->number);
      if (link.occupied != 0) plan_request(l->number, std::max(now + 1, link.free_at));
    }
  };
  lists().stage_requests.clear();
  for (AllocationRequest& l : requests) enter(l);
  grant();
  iterate([&](bool last) {
    lists().stage_requests.clear();
    for (AllocationRequest& l : requests) {
      CentralLink& link = link_of(l.number);
      const bool more =
          lists().shared.used(exit_number(l.number - number_of(0))) || (transfers_ != nullptr && link.free_at <= now);
      if (!asks_again(l, more, link) || last) continue;
      search_link(l, now);
      enter(l);
    }
    grant();
  });
}

// The first messages, and what is kept of central links and their buffer.
void OpaSwitch::fetch_heads(const AllocationRequest& l, Cycle now) const {
  const std::uint32_t mport = mport_of(l);
  central_[mport].fetch();
  if (is_link(l.number)) return fetch_fronts(link_of(l.number), now);
  if (inputs_[l.number].free_at > now) return;
  fetch_fronts(inputs_[l.number], now);
  const std::uint32_t count = central_links_;
  prefetch(&links_[mport * count], &links_[mport * count] + count);
}

// Finds what it will ask for if that has room, and fetches what that needs.
void OpaSwitch::choose(AllocationRequest& l, Cycle now) {
  if (is_link(l.number)) {
    const CentralLink& link = link_of(l.number);
    if (link.free_at > now) return;  // it is looked at again then
    search_link(l, now);
    if (l.port == kNoPort) return;
  } else {
    const Input& input = inputs_[l.number];
    if (input.free_at > now) return;  // it is looked at again then
    search(l, mport_of(l), now, false);
    if (l.port == kNoPort) return;
    input.credits.fetch();
  }
  egress_[l.port].fetch();
  central_[mport_of(l)].fetch_more();
}

void OpaSwitch::serve(std::span<AllocationRequest> requests, Cycle now) {
  const auto links = std::partition_point(requests.begin(), requests.end(),
                                          [&](const AllocationRequest& l) { return !is_link(l.number); });
  const std::span<AllocationRequest> inputs(requests.begin(), links);
  // MPorts in turn, from another one in every cycle.
  const auto turn =
      std::partition_point(inputs.begin(), inputs.end(),
                           [first = now % mports(), this](const AllocationRequest& l) { return mport_of(l) < first; });
  const auto each_mport = [&](std::span<AllocationRequest> left) {
    while (!left.empty()) {
      const std::uint32_t mport = mport_of(left.front());
      const PortId end = end_of(mport);
      std::size_t size = 1;
      while (size < left.size() && left[size].number < end) ++size;
      first_stage(mport, left.first(size), now);
      left = left.subspan(size);
    }
  };
  each_mport({turn, inputs.end()});
  each_mport({inputs.begin(), turn});
  second_stage({links, requests.end()}, now);
  replan_losers(inputs, now, [now](PortId) { return now + 1; });
}

void OpaSwitch::serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const {
  allocate_all<OpaSwitch>(list, now, fetches, lists());
}

}  // namespace weft
