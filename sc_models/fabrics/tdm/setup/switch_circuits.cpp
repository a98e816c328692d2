#include "fabrics/tdm/setup/switch_circuits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "fabrics/tdm/setup/choice/slot_choice.h"

namespace weft {
namespace {

SlotSet lowest(const SlotSet& from, std::uint32_t count) {
  SlotSet out(from.size());
  for (auto s = from.find_first(); s != SlotSet::npos && count > 0; s = from.find_next(s), --count) out.set(s);
  return out;
}

// A circuit's switch, its outputs in the order of the ports.
RouteHop place_of(const SetupMessage& request) {
  RouteHop place = request.route->hops[request.hop];
  std::sort(place.branches.begin(), place.branches.end(),
            [](const RouteBranch& a, const RouteBranch& b) { return a.out < b.out; });
  return place;
}

}  // namespace

SwitchCircuits::SwitchCircuits(const SetupSite& site, SwitchAccess& access) : site_(site), access_(access) {}

CircuitHolding SwitchCircuits::holding_of(const CircuitKey& key, const Record& record, const SlotSet& slots,
                                          bool in_table) const {
  CircuitHolding out{key, record.first(), record.place.in, {}, slots, in_table, record.from};
  for (const RouteBranch& b : record.place.branches) out.outs.push_back(b.out);
  return out;
}

// Rows of the slot LUT: at the first switch the host's input port, and the outputs.
std::vector<std::uint32_t> SwitchCircuits::rows_of(const CircuitHolding& holding) const {
  std::vector<std::uint32_t> rows;
  if (holding.first) rows.push_back(std::uint32_t{site_.ports} + holding.in);
  rows.insert(rows.end(), holding.outs.begin(), holding.outs.end());
  return rows;
}

// That a circuit has in a row of the slot LUT.
SlotSet SwitchCircuits::slots_of_row(const CircuitHolding& holding, std::uint32_t row) const {
  return row < site_.ports ? holding.slots : holding.in_slots();
}

void SwitchCircuits::handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out) {
  using Kind = SetupMessage::Kind;
  if (message.kind == Kind::request) {
    request(now, message, out);
    return;
  }
  const auto it = records_.find(message.key);
  if (it == records_.end() || message.kind == Kind::ack) return;  // torn down in the meantime
  const RouteHop& place = it->second.place;
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
  const RouteHop place = record.place;
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
  const RouteHop place = record.place;
  if (message.kind == Kind::accept) {
    if (auto all = record.answers.accepted(branch, message)) out.push_back({place.in, std::move(*all)});
  } else if (message.kind == Kind::released) {
    auto all = record.answers.released(branch, message);
    if (!all) return;
    const SlotSet released = site_.timing.slot_update ? record.slots : all->slots;  // then of all of the circuit
    all->cleared = remove(now, message.key, record, released, all->cleared);
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
  const PortId in = record.place.in;
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
  const RouteHop place = record.place;
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
  m.at = site_.sw;
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
  m.at = site_.sw;
  if (cause == TeardownCause::down) m.fault = access_.holder(out_port);
  out.push_back({message.route->hops[message.hop].in, std::move(m)});
}

SwitchCircuits::Fit SwitchCircuits::same_slots(Cycle now, const SetupMessage& message, Record& record) {
  Fit fit{false, message.common, {}, site_.timing.departure(*message.route, message.hop)};
  for (const std::uint32_t row : rows_of(holding_of(message.key, record, {}, false))) {
    fit.common = access_.ask(now, {SlotLutOp::query, row, fit.common}, message.key.flow).free;
  }
  record.slots = record.first() ? lowest(fit.common, message.wanted) : message.slots;
  fit.slots = record.slots.count() >= message.wanted && record.slots.is_subset_of(fit.common);
  fit.of_source = record.slots;
  return fit;
}

SwitchCircuits::Fit SwitchCircuits::own_slots(Cycle now, const SetupMessage& message, Record& record) {
  SlotSet host = message.common;
  SlotSet free = all_slots(site_.timing.slots);
  for (const std::uint32_t row : rows_of(holding_of(message.key, record, {}, false))) {
    SlotSet& asked = row < site_.ports ? free : host;
    asked = access_.ask(now, {SlotLutOp::query, row, asked}, message.key.flow).free;
  }
  Fit fit{false, SlotSet(site_.timing.slots), {}, 0};
  if (auto chosen = choose_slots(host, free, message, site_.timing)) {
    record.slots = std::move(chosen->out);
    record.from = std::move(chosen->from);
    fit = {true, message.common, std::move(chosen->in), chosen->shortest, std::move(chosen->lanes)};
  }
  return fit;
}

void SwitchCircuits::request(Cycle now, const SetupMessage& message, std::vector<SetupSend>& out) {
  Record record{place_of(message), {}, BranchAnswers(message.route->hops[message.hop].branches.size())};
  const RouteHop& place = record.place;
  const SetupTiming& timing = site_.timing;
  for (const RouteBranch& b : place.branches) {
    if (access_.usable(now, b.out)) continue;
    refuse(message, TeardownCause::down, b.out, message.common, 0, out);
    return;
  }
  const PortId some = place.branches.front().out;
  const std::uint32_t flow = message.key.flow;
  Fit fit = timing.slot_update ? own_slots(now, message, record) : same_slots(now, message, record);
  if (!fit.slots) {
    refuse(message, TeardownCause::no_slots, some, fit.common, 0, out);
    return;
  }
  // At the first switch: the source may begin as soon as it has the ACK, unless a word sent then would come to some
  // switch of the route before that switch's entry is in force.
  const Cycle first_word_in_force = access_.in_force(now, message.wanted) - fit.departure;
  Cycle start = message.start;
  if (record.first()) {
    start = std::max({now + timing.host_way(place.link) + 1, first_word_in_force, route_start(timing, now, message)}) +
            message.hold;
  }
  if (const Cycle late = first_word_in_force - start; late > 0) {
    refuse(message, TeardownCause::late, some, fit.common, late, out);
    return;
  }
  const CircuitHolding holding = holding_of(message.key, record, record.slots, true);
  for (const std::uint32_t row : rows_of(holding)) {
    access_.ask(now, {SlotLutOp::reserve, row, slots_of_row(holding, row)}, flow);
  }
  access_.change(now, {true, place.in, holding.outs, record.slots, record.from});

  SetupMessage ack;
  ack.kind = SetupMessage::Kind::ack;
  ack.key = message.key;
  ack.slots = fit.of_source;
  ack.start = start;
  out.push_back({place.in, std::move(ack)});
  SetupMessage next = message;
  next.common = fit.common;
  next.slots = record.slots;
  next.lanes = std::move(fit.lanes);
  next.start = start;
  for (const RouteBranch& b : place.branches) {
    next.hop = b.next == kNoHop ? message.hop : b.next;
    out.push_back({b.out, next});
  }
  if (!records_.emplace(message.key, std::move(record)).second) {
    throw RunError(
        fmt::format("sw[{}]: cycle {}: request {} of flow {} came twice", site_.sw, now, message.key.number, flow));
  }
}

// Takes slots of a circuit out of the table; they are still held.
SwitchCircuits::Draining SwitchCircuits::clear(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots,
                                               Cycle cleared) {
  Draining draining{holding_of(key, record, slots, false), {}, 0};
  const TableChange change{false, kNoPort, draining.what.outs, slots, {}};
  draining.out_of_force = std::max(cleared, access_.change(now, change));
  std::vector<PortId> ports = draining.what.outs;
  ports.push_back(record.place.in);
  std::sort(ports.begin(), ports.end());
  for (const PortId p : ports) {
    if (!access_.failed(p)) continue;
    draining.failed.push_back(p);
    access_.drain_begins(p);
  }
  record.slots -= slots;
  return draining;
}

// `source`: at the first switch the link of the host, which is told now: it may still send until it hears of it, and
// what it sends then is as long under way as an adapter makes it.
void SwitchCircuits::drain(Cycle now, LinkId source, Draining draining) {
  Cycle quiet = draining.out_of_force;
  if (source != kNoId) quiet = std::max(quiet, now + site_.timing.host_way(source) + 1 + site_.timing.adapter(source));
  draining_.emplace(std::max(quiet + site_.timing.slots, now + 1),
                    std::move(draining));  // told late, it is over already
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
  const auto failed = [&](PortId port) { return access_.failed(port); };
  for (auto it = records_.begin(); it != records_.end();) {
    const CircuitKey key = it->first;
    Record& record = it->second;
    const RouteHop& place = record.place;
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
    m.common = SlotSet(site_.timing.slots);
    m.failed_at = now;
    m.fault = fault;
    m.at = site_.sw;
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
    for (const std::uint32_t row : rows_of(d.what)) {
      access_.ask(now, {SlotLutOp::release, row, slots_of_row(d.what, row)}, d.what.key.flow);
    }
    for (const PortId port : d.failed) access_.drain_ends(now, port);
  }
}

std::vector<CircuitHolding> SwitchCircuits::holdings() {
  std::vector<CircuitHolding> out;
  for (const auto& [key, record] : records_) out.push_back(holding_of(key, record, record.slots, true));
  for (const auto& [at, d] : draining_) out.push_back(d.what);
  for (const auto& [key, u] : untold_) out.push_back(u.draining.what);
  return out;
}

}  // namespace weft
