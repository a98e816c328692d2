#include "fabrics/tdm/setup/switch_circuits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {
namespace {

SlotSet lowest(const SlotSet& from, std::uint32_t count) {
  SlotSet out(from.size());
  for (auto s = from.find_first(); s != SlotSet::npos && count > 0; s = from.find_next(s), --count) out.set(s);
  return out;
}

template <class Visit>
void for_each_slot(const SlotSet& set, Visit&& visit) {
  for (auto s = set.find_first(); s != SlotSet::npos; s = set.find_next(s)) visit(static_cast<Slot>(s));
}

}  // namespace

SwitchCircuits::SwitchCircuits(const Graph& graph, SwitchId sw, SlotLutIf& lut, const SetupTiming& timing,
                               LinkAvailability& links, OnLut on_lut)
    : graph_(graph),
      sw_(sw),
      lut_(lut),
      timing_(timing),
      links_(links),
      on_lut_(std::move(on_lut)),
      tables_(graph.ports(sw), timing.slots, timing.column) {}

const SlotSet* SwitchCircuits::held(const CircuitKey& key) const {
  const auto it = records_.find(key);
  return it == records_.end() ? nullptr : &it->second.slots;
}

// Rows of the slot LUT: the outputs, and at the first switch the host's input port as well.
std::vector<std::uint32_t> SwitchCircuits::rows_of(const Record& record) const {
  std::vector<std::uint32_t> rows;
  if (record.hop == 0) rows.push_back(std::uint32_t{graph_.ports(sw_)} + record.place().in);
  for (const RouteBranch& b : record.place().branches) rows.push_back(b.out);
  return rows;
}

SlotLutResponse SwitchCircuits::ask(Cycle now, SlotLutOp op, std::uint32_t row, const SlotSet& slots,
                                    std::uint32_t flow) {
  SlotLutResponse response = lut_.request({op, row, slots});
  on_lut_({now, sw_, row, op, flow, response.ok, static_cast<std::uint32_t>(response.free.count())});
  if (!response.ok && op != SlotLutOp::query) {
    throw RunError(fmt::format("sw[{}]: cycle {}: slot LUT row {} refused to {} slots of flow {}", sw_, now, row,
                               op == SlotLutOp::reserve ? "reserve" : "release", flow));
  }
  return response;
}

void SwitchCircuits::handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out) {
  using Kind = SetupMessage::Kind;
  if (message.kind == Kind::request) {
    request(now, message, out);
    return;
  }
  const auto it = records_.find(message.key);
  if (it == records_.end() || message.kind == Kind::ack) return;  // torn down in the meantime
  const RouteHop& place = it->second.place();
  const bool onward = message.kind == Kind::release || message.kind == Kind::withdraw ||
                      (message.kind == Kind::teardown && message.forward);
  if (onward) {
    if (from == place.in) from_source(now, message, it->second, out);
    return;
  }
  for (std::size_t b = 0; b < place.branches.size(); ++b) {
    if (place.branches[b].out != from) continue;
    from_branch(now, b, message, it->second, out);
    return;
  }
}

void SwitchCircuits::from_source(Cycle now, const SetupMessage& message, Record& record, std::vector<SetupSend>& out) {
  if (message.kind == SetupMessage::Kind::withdraw) {
    withdraw(now, message, record, out);
    return;
  }
  SetupMessage next = message;
  const RouteHop place = record.place();
  std::vector<PortId> onward;
  for (std::size_t b = 0; b < place.branches.size(); ++b) {
    if (!record.answers.has_ended(b)) onward.push_back(place.branches[b].out);
  }
  if (message.kind == SetupMessage::Kind::teardown) {
    next.cleared = remove(now, message.key, record, SlotSet(record.slots), 0);
  }
  for (const PortId port : onward) out.push_back({port, next});
}

void SwitchCircuits::from_branch(Cycle now, std::size_t branch, const SetupMessage& message, Record& record,
                                 std::vector<SetupSend>& out) {
  using Kind = SetupMessage::Kind;
  const RouteHop place = record.place();
  if (message.kind == Kind::accept) {
    if (auto all = record.answers.accepted(branch, message)) out.push_back({place.in, std::move(*all)});
  } else if (message.kind == Kind::released) {
    auto all = record.answers.released(branch, message);
    if (!all) return;
    all->cleared = remove(now, message.key, record, all->slots, all->cleared);
    out.push_back({place.in, std::move(*all)});
  } else if (message.cause != TeardownCause::fault) {
    branch_ended(now, branch, message, record, out);
  } else {
    SetupMessage next = message;
    next.forward = true;
    for (std::size_t b = 0; b < place.branches.size(); ++b) {
      if (b != branch && !record.answers.has_ended(b)) out.push_back({place.branches[b].out, next});
    }
    next.forward = false;
    next.cleared = remove(now, message.key, record, SlotSet(record.slots), message.cleared);
    out.push_back({place.in, std::move(next)});
  }
}

void SwitchCircuits::branch_ended(Cycle now, std::size_t branch, const SetupMessage& message, Record& record,
                                  std::vector<SetupSend>& out) {
  const bool first = !record.answers.withdrawing();
  const PortId in = record.place().in;
  if (auto all = record.answers.ended(branch, message)) {
    all->cleared = remove(now, message.key, record, SlotSet(record.slots), all->cleared);
    out.push_back({in, std::move(*all)});
  } else if (first) {
    withdraw(now, message, record, out);
  }
}

// Has the branches that have not ended give up what they hold. Nothing is held behind the last switch.
void SwitchCircuits::withdraw(Cycle now, const SetupMessage& message, Record& record, std::vector<SetupSend>& out) {
  const bool begun = record.answers.withdrawing() && message.kind == SetupMessage::Kind::withdraw;
  if (begun) return;  // it gives its answer when all have ended
  record.answers.withdraw();
  SetupMessage m;
  m.key = message.key;
  const RouteHop place = record.place();
  std::vector<std::size_t> hosts;
  for (std::size_t b = 0; b < place.branches.size(); ++b) {
    if (record.answers.has_ended(b)) continue;
    if (place.branches[b].next == kNoHop) {
      hosts.push_back(b);
      continue;
    }
    m.kind = SetupMessage::Kind::withdraw;
    out.push_back({place.branches[b].out, m});
  }
  m.kind = SetupMessage::Kind::teardown;
  m.withdrawn = true;
  m.at = sw_;
  for (const std::size_t b : hosts) branch_ended(now, b, m, record, out);  // the last one may take the record away
}

void SwitchCircuits::refuse(const SetupMessage& message, TeardownCause cause, PortId out_port, const SlotSet& common,
                            Cycle late_by, std::vector<SetupSend>& out) const {
  SetupMessage m;
  m.kind = SetupMessage::Kind::teardown;
  m.key = message.key;
  m.cause = cause;
  m.common = common;
  m.late_by = late_by;
  m.at = sw_;
  if (cause == TeardownCause::down) m.fault = links_.holder(links_.at(sw_, out_port));
  out.push_back({message.route->hops[message.hop].in, std::move(m)});
}

// When the source may begin if no other request is in the way of this one: as soon as it has the ACK, unless a word
// sent then would come to some switch of the route before that switch's entry is in force.
Cycle SwitchCircuits::unhindered_start(Cycle now, const SetupMessage& message, std::size_t columns) const {
  const std::vector<RouteHop>& hops = message.route->hops;
  struct Reached {
    Cycle asked = 0;
    Cycle departure = 0;  // of a word, from the host's slot on
  };
  std::vector<Reached> reached(hops.size());
  Cycle start = now + timing_.host_way(hops.front().link) + 1;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    const RouteHop& hop = hops[i];
    const bool first = hop.parent == kNoHop;
    const Reached before = first ? Reached{} : reached[hop.parent];
    reached[i].asked = first ? now : before.asked + timing_.way(hop.link) + timing_.processing;
    reached[i].departure = before.departure + timing_.step(hop);
    const Cycle written = reached[i].asked + timing_.column * static_cast<Cycle>(columns);
    const Cycle in_force = first ? tables_.in_force(now, columns) : timing_.boundary(written);
    start = std::max(start, in_force - reached[i].departure);
  }
  return start + message.hold;
}

void SwitchCircuits::request(Cycle now, const SetupMessage& message, std::vector<SetupSend>& out) {
  const RouteHop& place = message.route->hops[message.hop];
  Record record{message.route, message.hop, {}, BranchAnswers(place.branches.size())};
  const bool first = message.hop == 0;
  for (const RouteBranch& b : place.branches) {
    if (links_.usable(links_.at(sw_, b.out), now)) continue;
    refuse(message, TeardownCause::down, b.out, message.common, 0, out);
    return;
  }
  const PortId some = place.branches.front().out;
  const std::uint32_t flow = message.key.flow;
  SlotSet common = message.common;
  for (const std::uint32_t row : rows_of(record)) common = ask(now, SlotLutOp::query, row, common, flow).free;
  record.slots = first ? lowest(common, message.wanted) : message.slots;
  if (record.slots.count() < message.wanted || !record.slots.is_subset_of(common)) {
    refuse(message, TeardownCause::no_slots, some, common, 0, out);
    return;
  }
  const Cycle start = first ? unhindered_start(now, message, message.wanted) : message.start;
  const Cycle in_force = tables_.in_force(now, message.wanted);
  const Cycle late = in_force - (start + timing_.departure(*message.route, message.hop));
  if (late > 0) {
    refuse(message, TeardownCause::late, some, common, late, out);
    return;
  }
  for (const std::uint32_t row : rows_of(record)) ask(now, SlotLutOp::reserve, row, record.slots, flow);
  std::vector<TableWriter::Change> changes;
  for (const RouteBranch& b : place.branches) {
    for_each_slot(record.slots, [&](Slot s) { changes.push_back({b.out, s, {place.in, s}}); });
  }
  tables_.change(now, changes);

  SetupMessage ack;
  ack.kind = SetupMessage::Kind::ack;
  ack.key = message.key;
  ack.slots = record.slots;
  ack.start = start;
  out.push_back({place.in, std::move(ack)});
  SetupMessage next = message;
  next.common = common;
  next.slots = record.slots;
  next.start = start;
  for (const RouteBranch& b : place.branches) {
    next.hop = b.next == kNoHop ? message.hop : b.next;
    out.push_back({b.out, next});
  }
  if (!records_.emplace(message.key, std::move(record)).second) {
    throw RunError(
        fmt::format("sw[{}]: cycle {}: request {} of flow {} came twice", sw_, now, message.key.number, flow));
  }
}

// Takes slots of a circuit out of the table; they are still held.
SwitchCircuits::Draining SwitchCircuits::clear(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots,
                                               Cycle cleared) {
  std::vector<TableWriter::Change> changes;
  const RouteHop& place = record.place();
  std::vector<PortId> ports{place.in};
  for (const RouteBranch& b : place.branches) {
    ports.push_back(b.out);
    for_each_slot(slots, [&](Slot s) { changes.push_back({b.out, s, {}}); });
  }
  Draining draining{rows_of(record), slots, {}, key.flow, std::max(cleared, tables_.change(now, changes))};
  for (const PortId p : ports) {
    const LinkId link = links_.at(sw_, p);
    if (!links_.failed(link)) continue;
    draining.links.push_back(link);
    links_.drain_begins(link);
  }
  record.slots -= slots;
  return draining;
}

// `source`: at the first switch the link of the host, which is told now: it may still send until it hears of it, and
// what it sends then is as long under way as an adapter makes it.
void SwitchCircuits::drain(Cycle now, LinkId source, Draining draining) {
  Cycle quiet = draining.out_of_force;
  if (source != kNoId) quiet = std::max(quiet, now + timing_.host_way(source) + 1 + timing_.adapter(source));
  draining_.emplace(std::max(quiet + timing_.slots, now + 1), std::move(draining));  // told late, it is over already
}

Cycle SwitchCircuits::remove(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots, Cycle cleared) {
  Draining draining = clear(now, key, record, slots, cleared);
  const Cycle out_of_force = draining.out_of_force;
  drain(now, source_link(record), std::move(draining));
  if (record.slots.none()) records_.erase(key);
  return out_of_force;
}

void SwitchCircuits::told(Cycle now, const CircuitKey& key) {
  Untold& u = untold_.at(key);
  if (--u.messages > 0) return;
  drain(now, u.source, std::move(u.draining));
  untold_.erase(key);
}

void SwitchCircuits::drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out,
                                 std::vector<std::uint32_t>& flows) {
  const auto failed = [&](PortId port) { return links_.failed(links_.at(sw_, port)); };
  for (auto it = records_.begin(); it != records_.end();) {
    const CircuitKey key = it->first;
    Record& record = it->second;
    const RouteHop& place = record.place();
    const bool in = failed(place.in);
    const bool onward =
        std::any_of(place.branches.begin(), place.branches.end(), [&](const RouteBranch& b) { return failed(b.out); });
    if (!in && !onward) {
      ++it;
      continue;
    }
    flows.push_back(key.flow);
    Untold untold{clear(now, key, record, SlotSet(record.slots), 0), source_link(record), 0};
    SetupMessage m;
    m.kind = SetupMessage::Kind::teardown;
    m.key = key;
    m.cause = TeardownCause::fault;
    m.common = SlotSet(timing_.slots);
    m.failed_at = now;
    m.fault = fault;
    m.at = sw_;
    m.cleared = untold.draining.out_of_force;
    const std::size_t before = out.size();
    if (!in) out.push_back({place.in, m});
    m.forward = true;
    for (std::size_t b = 0; b < place.branches.size(); ++b) {
      if (!failed(place.branches[b].out) && !record.answers.has_ended(b)) out.push_back({place.branches[b].out, m});
    }
    untold.messages = out.size() - before;
    if (untold.messages == 0) {
      drain(now, untold.source, std::move(untold.draining));
    } else {
      untold_.emplace(key, std::move(untold));
    }
    it = records_.erase(it);
  }
}

void SwitchCircuits::free_due(Cycle now) {
  while (!draining_.empty() && draining_.begin()->first <= now) {
    const Draining d = std::move(draining_.begin()->second);
    draining_.erase(draining_.begin());
    for (const std::uint32_t row : d.rows) ask(now, SlotLutOp::release, row, d.slots, d.flow);
    for (const LinkId link : d.links) links_.drain_ends(link, now);
  }
}

std::string SwitchCircuits::inconsistency() {
  const SlotSet none(timing_.slots);
  std::vector<SlotSet> held(std::size_t{2} * graph_.ports(sw_), none);
  SlotTable table(graph_.ports(sw_), timing_.slots);
  std::string wrong;
  const auto hold = [&](const std::vector<std::uint32_t>& rows, const SlotSet& slots) {
    for (const std::uint32_t row : rows) {
      if (held[row].intersects(slots))
        wrong = fmt::format("sw[{}]: slot LUT row {} has a slot with two owners", sw_, row);
      held[row] |= slots;
    }
  };
  for (const auto& [key, record] : records_) {
    const RouteHop& place = record.place();
    hold(rows_of(record), record.slots);
    for (const RouteBranch& b : place.branches) {
      for_each_slot(record.slots, [&](Slot s) { table.at(b.out, s) = {place.in, s}; });
    }
  }
  for (const auto& [at, d] : draining_) hold(d.rows, d.slots);
  for (const auto& [key, u] : untold_) hold(u.draining.rows, u.draining.slots);
  for (std::uint32_t row = 0; row < held.size(); ++row) {
    if (lut_.request({SlotLutOp::query, row, all_slots(timing_.slots)}).free != ~held[row]) {
      wrong = fmt::format("sw[{}]: slot LUT row {} does not agree with the circuits the switch knows", sw_, row);
    }
  }
  if (!(table == tables_.target())) wrong = fmt::format("sw[{}]: the slot table does not agree with its circuits", sw_);
  return wrong;
}

}  // namespace weft
