#include "fabrics/tdm/tdm_host.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/slots/circuit_timing.h"
#include "base/diagnostics.h"
#include "fabrics/tdm/data_path.h"

namespace weft {

TdmHost::TdmHost(sc_core::sc_module_name name, ClockDomain& domain, NodeId node, std::uint32_t links,
                 std::uint32_t frame, MessageStore& store, const Observers& observers, TdmHostOwner& owner,
                 SourceUnit unit, const MakeInterface& make)
    : sc_module(name),
      domain_(domain),
      node_(node),
      frame_(frame),
      store_(store),
      observers_(observers),
      owner_(owner),
      unit_(unit),
      interface_(make ? make(this->name(), *this) : std::make_unique<ModelHostInterface>(client(), frame, store)) {
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
  s.slots = {std::move(lanes), std::move(links)};
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
  if (shared_ != nullptr || unit_.is_slower_than_links()) {
    domain_.schedule(std::max(offer->generated, earliest), Phase::transfer, *this, index | kMade);
  } else {
    domain_.schedule(std::max({s.free_at, offer->generated, earliest}), Phase::transfer, *this, index);
  }
}

// Its message stands at the head of the queue.
void TdmHost::begin(Cycle now, std::uint32_t index) {
  Sender& s = senders_[index];
  TdmMessage m;
  m.circuit = s.circuit;
  m.sequence = s.sequence++;
  m.words = s.offer.words;
  m.open_deliveries = s.destinations + s.exits * std::min(static_cast<std::uint32_t>(s.slots.slots.size()), m.words);
  m.generated = s.offer.generated;
  m.head = now;
  m.user = s.offer.user;
  observers_.tell([&](TdmObserver& o) { o.on_head(m); });
  interface_->begin(now, {index, s.circuit, &s.slots, store_.add(m), m.words});
}

void TdmHost::depart(Cycle now, std::uint32_t sender, std::uint32_t link, const Train& train) {
  if (train.first_word == 0) store_.inject(train.message, train.start);
  TdmTransfer transfer;
  transfer.kind = TdmTransfer::Kind::train;
  transfer.train = train;
  transfer.train.circuit = senders_[sender].circuit;
  transfer.train.sequence = static_cast<std::uint32_t>(store_[train.message].sequence);
  observers_.tell([&](TdmObserver& o) { o.on_inject(node_, link, transfer.train); });
  out_[link]->send(transfer, domain_.time_of(train.start - now));
}

void TdmHost::left(std::uint32_t sender, Cycle free_at) {
  senders_[sender].free_at = free_at;
  fetch(sender);
}

void TdmHost::receive(PortId in, const TdmTransfer& transfer) {
  if (transfer.kind == TdmTransfer::Kind::cut) {
    interface_->arrive_cut(in, transfer.cut);
  } else {
    interface_->arrive(domain_.now(), in, transfer.train);
  }
}

void TdmHost::due(Cycle now, std::uint32_t token) {
  if ((token & kInterface) != 0) {
    interface_->due(now, token & ~kInterface);
    return;
  }
  if ((token & kMade) != 0) {
    const std::uint32_t index = token & ~kMade;
    const Sender& s = senders_[index];
    if (shared_ != nullptr) {
      shared_->ask(*this, node_, index, s.offer.words, s.slots.slots);
      return;
    }
    const SlotSequence slots(s.slots.slots, frame_);
    made(now, index, unit_.begin(now, s.offer.words, slots, static_cast<std::int64_t>(s.slots.slots.size())));
    return;
  }
  begin(now, token);
}

void TdmHost::made(Cycle now, std::uint32_t sender, Cycle head) {
  domain_.schedule(std::max({senders_[sender].free_at, head, now}), Phase::transfer, *this, sender);
}

void TdmHost::received(Cycle now, MessageId id, Cycle first_arrival) {
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
