#include "fabric/tdm/setup/switch_circuits.h"

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
                               LinkStates& links, OnLut on_lut)
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

// Rows of the slot LUT: the output, and at the first switch the host's input port as well.
std::vector<std::uint32_t> SwitchCircuits::rows_of(const Record& record) const {
  std::vector<std::uint32_t> rows;
  if (record.hop == 0) rows.push_back(std::uint32_t{graph_.ports(sw_)} + record.place().in);
  rows.push_back(record.place().out);
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
  Record& record = it->second;
  const RouteHop place = record.place();
  const bool forward = message.kind == Kind::release || (message.kind == Kind::teardown && message.forward);
  if (from != (forward ? place.in : place.out)) return;
  SetupMessage next = message;
  if (message.kind != Kind::release && message.kind != Kind::accept) {
    const SlotSet slots = message.kind == Kind::teardown ? record.slots : message.slots;
    next.cleared = remove(now, message.key, record, slots, forward ? 0 : message.cleared);
  }
  out.push_back({forward ? place.out : place.in, std::move(next)});
}

void SwitchCircuits::refuse(const SetupMessage& message, TearCause cause, const SlotSet& common, Cycle late_by,
                            std::vector<SetupSend>& out) const {
  SetupMessage m;
  m.kind = SetupMessage::Kind::teardown;
  m.key = message.key;
  m.cause = cause;
  m.common = common;
  m.late_by = late_by;
  m.at = sw_;
  const RouteHop place = message.route->hops[message.hop];
  m.fault = links_.last_fault(links_.at(sw_, place.out));
  out.push_back({place.in, std::move(m)});
}

// When the source may begin if no other request is in the way of this one: as soon as it has the ACK, unless a word
// sent then would come to some switch of the route before that switch's entry is in force.
Cycle SwitchCircuits::unhindered_start(Cycle now, const SetupMessage& message, std::size_t columns) const {
  Cycle start = now + timing_.host_link + 1;
  const Cycle step = timing_.link + timing_.processing;
  for (std::size_t i = 0; i < message.route->hops.size(); ++i) {
    const Cycle asked = now + static_cast<Cycle>(i) * step;
    const Cycle written = asked + timing_.column * static_cast<Cycle>(columns);
    const Cycle in_force = i == 0 ? tables_.in_force(now, columns) : timing_.boundary(written);
    start = std::max(start, in_force - timing_.departure(i));
  }
  return start + message.hold;
}

void SwitchCircuits::request(Cycle now, const SetupMessage& message, std::vector<SetupSend>& out) {
  Record record{message.route, message.hop, {}};
  const RouteHop place = record.place();
  const bool first = message.hop == 0;
  const bool last = message.hop + 1 == message.route->hops.size();
  if (!links_.usable(links_.at(sw_, place.out), now)) {
    refuse(message, TearCause::down, message.common, 0, out);
    return;
  }
  const std::uint32_t flow = message.key.flow;
  SlotSet common = message.common;
  for (const std::uint32_t row : rows_of(record)) common = ask(now, SlotLutOp::query, row, common, flow).free;
  record.slots = first ? lowest(common, message.wanted) : message.slots;
  if (record.slots.count() < message.wanted || !record.slots.is_subset_of(common)) {
    refuse(message, TearCause::no_slots, common, 0, out);
    return;
  }
  const Cycle start = first ? unhindered_start(now, message, message.wanted) : message.start;
  const Cycle in_force = tables_.in_force(now, message.wanted);
  const Cycle late = in_force - (start + timing_.departure(message.hop));
  if (late > 0) {
    refuse(message, TearCause::late, common, late, out);
    return;
  }
  for (const std::uint32_t row : rows_of(record)) ask(now, SlotLutOp::reserve, row, record.slots, flow);
  std::vector<TableWriter::Change> changes;
  for_each_slot(record.slots, [&](Slot s) { changes.push_back({place.out, s, {place.in, s}}); });
  tables_.change(now, changes);

  SetupMessage ack;
  ack.kind = SetupMessage::Kind::ack;
  ack.key = message.key;
  ack.slots = record.slots;
  ack.start = start;
  out.push_back({place.in, std::move(ack)});
  SetupMessage next = message;
  next.hop = last ? message.hop : message.hop + 1;
  next.common = common;
  next.slots = record.slots;
  next.start = start;
  out.push_back({place.out, std::move(next)});
  if (!records_.emplace(message.key, std::move(record)).second) {
    throw RunError(
        fmt::format("sw[{}]: cycle {}: request {} of flow {} came twice", sw_, now, message.key.number, flow));
  }
}

// Takes slots of a circuit out of the table; they are still held.
SwitchCircuits::Draining SwitchCircuits::clear(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots,
                                               Cycle cleared) {
  std::vector<TableWriter::Change> changes;
  const RouteHop place = record.place();
  for_each_slot(slots, [&](Slot s) { changes.push_back({place.out, s, {}}); });
  Draining draining{rows_of(record), slots, {}, key.flow, std::max(cleared, tables_.change(now, changes))};
  for (const PortId p : {place.in, place.out}) {
    const LinkId link = links_.at(sw_, p);
    if (!links_.failed(link)) continue;
    draining.links.push_back(link);
    links_.drain_begins(link);
  }
  record.slots -= slots;
  return draining;
}

// `first`: at the first switch the host, which is told now, may still send until it hears of it.
void SwitchCircuits::drain(Cycle now, bool first, Draining draining) {
  const Cycle quiet = std::max(draining.out_of_force, first ? now + timing_.host_link + 1 : 0);
  draining_.emplace(quiet + timing_.slots, std::move(draining));
}

Cycle SwitchCircuits::remove(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots, Cycle cleared) {
  Draining draining = clear(now, key, record, slots, cleared);
  const Cycle out_of_force = draining.out_of_force;
  drain(now, record.hop == 0, std::move(draining));
  if (record.slots.none()) records_.erase(key);
  return out_of_force;
}

void SwitchCircuits::told(Cycle now, const CircuitKey& key) {
  const auto it = untold_.find(key);
  if (it == untold_.end()) return;
  drain(now, true, std::move(it->second));
  untold_.erase(it);
}

void SwitchCircuits::drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out,
                                 std::vector<std::uint32_t>& flows) {
  for (auto it = records_.begin(); it != records_.end();) {
    const CircuitKey key = it->first;
    Record& record = it->second;
    ++it;  // remove() takes the record away
    const RouteHop place = record.place();
    const bool in = links_.failed(links_.at(sw_, place.in));
    const bool onward = links_.failed(links_.at(sw_, place.out));
    if (!in && !onward) continue;
    flows.push_back(key.flow);
    SetupMessage m;
    m.kind = SetupMessage::Kind::teardown;
    m.key = key;
    m.cause = TearCause::fault;
    m.common = SlotSet(timing_.slots);
    m.forward = in;
    m.failed_at = now;
    m.fault = fault;
    m.at = sw_;
    if (!in && record.hop == 0) {
      Draining draining = clear(now, key, record, SlotSet(record.slots), 0);
      m.cleared = draining.out_of_force;
      untold_.emplace(key, std::move(draining));
      records_.erase(key);
    } else {
      m.cleared = remove(now, key, record, SlotSet(record.slots));
    }
    if (in != onward) out.push_back({in ? place.out : place.in, std::move(m)});
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
    const RouteHop place = record.place();
    hold(rows_of(record), record.slots);
    for_each_slot(record.slots, [&](Slot s) { table.at(place.out, s) = {place.in, s}; });
  }
  for (const auto& [at, d] : draining_) hold(d.rows, d.slots);
  for (const auto& [key, d] : untold_) hold(d.rows, d.slots);
  for (std::uint32_t row = 0; row < held.size(); ++row) {
    if (lut_.request({SlotLutOp::query, row, all_slots(timing_.slots)}).free != ~held[row]) {
      wrong = fmt::format("sw[{}]: slot LUT row {} does not agree with the circuits the switch knows", sw_, row);
    }
  }
  if (!(table == tables_.target())) wrong = fmt::format("sw[{}]: the slot table does not agree with its circuits", sw_);
  return wrong;
}

}  // namespace weft
