#include "fabrics/tdm/tdm_host.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/slots/circuit_timing.h"
#include "base/diagnostics.h"
#include "fabrics/tdm/data_path.h"

namespace weft {

TdmHost::TdmHost(sc_core::sc_module_name name, ClockDomain& domain, NodeId node, std::uint32_t links,
                 std::uint32_t frame, MessageStore& store, const Observers& observers, TdmHostOwner& owner,
                 SourceUnit unit)
    : sc_module(name),
      domain_(domain),
      node_(node),
      frame_(frame),
      store_(store),
      observers_(observers),
      owner_(owner),
      unit_(unit) {
  for (std::uint32_t i = 0; i < links; ++i) {
    in_.push_back(std::make_unique<TdmInPort>(*this, static_cast<PortId>(i)));
    out_.push_back(std::make_unique<TdmOutPort>());
  }
}

void TdmHost::add_sender(CircuitId circuit, std::vector<Slot> lanes, std::vector<std::uint32_t> links,
                         std::uint32_t destinations, MessageSupply& supply, std::uint32_t exits) {
  sender_of_.emplace(circuit, static_cast<std::uint32_t>(senders_.size()));
  Sender s;
  s.circuit = circuit;
  s.lanes = std::move(lanes);
  s.links = std::move(links);
  s.destinations = destinations;
  s.exits = exits;
  s.supply = &supply;
  senders_.push_back(std::move(s));
}

void TdmHost::start(CircuitId circuit, Cycle from) {
  const std::uint32_t index = sender_of_.at(circuit);
  senders_[index].open = true;
  senders_[index].free_at = from;
  fetch(index);
}

void TdmHost::kick(CircuitId circuit) {
  const std::uint32_t index = sender_of_.at(circuit);
  Sender& s = senders_[index];
  if (!s.open || !s.waiting) return;
  s.waiting = false;
  fetch(index);
}

// Asks for the next message and comes back when it stands at the head of the queue.
void TdmHost::fetch(std::uint32_t index) {
  Sender& s = senders_[index];
  const auto offer = s.supply->next(s.circuit, s.free_at);
  if (!offer) {
    if (s.supply->finished(s.circuit)) {
      s.open = false;
      owner_.circuit_finished(s.circuit);
    } else {
      s.waiting = true;
    }
    return;
  }
  s.offer = *offer;
  const Cycle earliest = domain_.serving() ? domain_.now() : domain_.next_cycle();
  if (unit_.is_slower_than_links()) {
    domain_.schedule(std::max(offer->generated, earliest), Phase::transfer, *this, index | kMade);
  } else {
    domain_.schedule(std::max({s.free_at, offer->generated, earliest}), Phase::transfer, *this, index);
  }
}

void TdmHost::send(Cycle now, Sender& s) {
  const SlotSequence sequence(s.lanes, frame_);
  const std::int64_t first = sequence.first_at_or_after(now);
  const auto lanes = static_cast<std::uint32_t>(s.lanes.size());
  TdmMessage m;
  m.circuit = s.circuit;
  m.sequence = s.sequence++;
  m.words = s.offer.words;
  m.open_deliveries = s.destinations + s.exits * std::min(lanes, m.words);
  m.generated = s.offer.generated;
  m.head = now;
  m.injected = sequence.cycle(first);
  m.user = s.offer.user;
  const MessageId id = store_.add(m);
  TdmTransfer transfer;
  transfer.kind = TdmTransfer::Kind::train;
  for (std::uint32_t lane = 0; lane < std::min(lanes, m.words); ++lane) {
    Train& t = transfer.train;
    t.message = id;
    t.circuit = s.circuit;
    t.sequence = static_cast<std::uint32_t>(m.sequence);
    t.first_word = lane;
    t.stride = lanes;
    t.words = (m.words - lane + lanes - 1) / lanes;
    t.start = sequence.cycle(first + lane);
    t.slot = static_cast<Slot>(t.start % frame_);
    // Its lane on the injection link: words take the slots of the circuit in turn.
    const std::uint32_t link = s.links[static_cast<std::size_t>((first + lane) % lanes)];
    observers_.tell([&](TdmObserver& o) { o.on_inject(node_, link, t); });
    out_[link]->send(transfer, domain_.time_of(t.start - now));
  }
  s.free_at = sequence.cycle(first + m.words - 1) + 1;
}

void TdmHost::receive(PortId, const TdmTransfer& transfer) {
  if (transfer.kind == TdmTransfer::Kind::cut) {
    for (Arrival& a : arrivals_) {
      if (a.pending && a.train.message == transfer.cut.message && a.train.slot == transfer.cut.slot &&
          a.train.first_word == transfer.cut.first_word) {
        a.train.words = std::min(a.train.words, transfer.cut.words);
      }
    }
    return;
  }
  std::uint32_t index = 0;
  if (free_arrivals_.empty()) {
    index = static_cast<std::uint32_t>(arrivals_.size());
    arrivals_.emplace_back();
  } else {
    index = free_arrivals_.back();
    free_arrivals_.pop_back();
  }
  arrivals_[index] = {transfer.train, true};
  domain_.schedule(transfer.train.last(frame_), Phase::settle, *this, index | kArrival);
}

void TdmHost::due(Cycle now, std::uint32_t token) {
  if ((token & kArrival) != 0) {
    Arrival& a = arrivals_[token & ~kArrival];
    a.pending = false;
    free_arrivals_.push_back(token & ~kArrival);
    complete(now, Train{a.train});
    return;
  }
  if ((token & kMade) != 0) {
    const Sender& made = senders_[token & ~kMade];
    const SlotSequence slots(made.lanes, frame_);
    const Cycle head = unit_.begin(now, made.offer.words, slots, static_cast<std::int64_t>(made.lanes.size()));
    domain_.schedule(std::max({made.free_at, head, now}), Phase::transfer, *this, token & ~kMade);
    return;
  }
  Sender& s = senders_[token];
  send(now, s);
  fetch(token);
}

// All words of one arriving train are here.
void TdmHost::complete(Cycle now, const Train& train) {
  const TdmMessage& m = store_[train.message];
  if (train.words == m.words) {
    deliver(now, train.message, train.start);
    return;
  }
  auto it = std::find_if(assemblies_.begin(), assemblies_.end(),
                         [&](const Assembly& a) { return a.message == train.message; });
  if (it == assemblies_.end()) {
    assemblies_.push_back({train.message, 0, train.start});
    it = assemblies_.end() - 1;
  }
  it->words += train.words;
  it->first_arrival = std::min(it->first_arrival, train.start);
  if (it->words < m.words) return;
  const Assembly done = *it;
  *it = assemblies_.back();
  assemblies_.pop_back();
  deliver(now, done.message, done.first_arrival);
}

void TdmHost::deliver(Cycle now, MessageId id, Cycle first_arrival) {
  const TdmMessage m = store_[id];
  const auto receiver = receivers_.find(m.circuit);
  if (receiver == receivers_.end()) {
    throw RunError(fmt::format("{}: cycle {}: message {} of circuit {} arrived at a node it was not sent to", name(),
                               now, m.sequence, m.circuit));
  }
  if (m.sequence != receiver->second) {
    throw RunError(fmt::format("{}: cycle {}: circuit {} delivered message {} where message {} was due", name(), now,
                               m.circuit, m.sequence, receiver->second));
  }
  ++receiver->second;
  const DeliveryEvent event{id, m, node_, first_arrival, now};
  observers_.tell([&](TdmObserver& o) { o.on_deliver(event); });
  store_.delivered(id);
  owner_.message_delivered(event);
}

}  // namespace weft
