#include "fabrics/ideal/ideal_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/diagnostics.h"
#include "parallel/cut_links.h"

namespace weft {
namespace {

constexpr unsigned kStepBits = 3;
constexpr Cycle kLongestWindow = 64;  // what ranks tell each other at once takes memory

}  // namespace

IdealNetwork::IdealNetwork(sc_core::sc_module_name name, ClockDomain& domain, IdealParameters parameters,
                           const Part& part)
    : sc_module(name),
      domain_(domain),
      parameters_(std::move(parameters)),
      sends_(*this, domain),
      nodes_(parameters_.nodes),
      ranks_(part.ranks),
      owners_(part.node_owners) {
  if (ranks_ == nullptr) return;
  window_ = std::min(parameters_.shortest_latency, kLongestWindow);
  // Of a node one transfer leaves in a cycle.
  const std::size_t nodes = parameters_.nodes / ranks_->size() + 1;
  const std::size_t most = nodes * static_cast<std::size_t>(window_) * sizeof(FlightOnWire);
  for (RankId r = 0; r < ranks_->size(); ++r) {
    channels_.push_back(r == ranks_->rank() ? nullptr : &ranks_->open_channel(r, most));
  }
  plan(window_ - 1, Phase::exchange, Step::exchange, 0);
}

Capabilities IdealNetwork::of(ServiceId /*service*/) const {
  return {.ordered = true, .multicast = true, .dynamic = true, .unit = (parameters_.flit_bits + 7) / 8, .packet = 0};
}

void IdealNetwork::send(NodeId from, const Transfer& transfer) {
  check_transfer(*this, from, transfer, parameters_.services.size());
  sends_.send(from, transfer);
}

std::uint64_t IdealNetwork::units_of(const Transfer& transfer) const {
  const IdealParameters::Message& usual = parameters_.services[transfer.service];
  if (transfer.bytes == usual.bytes) return usual.flits;
  return std::max<std::uint64_t>(1, (transfer.bytes * 8 + parameters_.flit_bits - 1) / parameters_.flit_bits);
}

IdealNetwork::FlightNumber IdealNetwork::new_flight() {
  if (free_.empty()) {
    free_.push_back(static_cast<FlightNumber>(flights_.size()));
    flights_.emplace_back();
  }
  const FlightNumber number = free_.back();
  free_.pop_back();
  return number;
}

IdealNetwork::FlightNumber IdealNetwork::make_flight(NodeId from, NodeId to, const Transfer& transfer, std::uint64_t id,
                                                     std::uint64_t units) {
  const FlightNumber number = new_flight();
  Flight& f = flights_[number];
  f.foreign = false;
  f.record = {.id = id,
              .from = from,
              .to = to,
              .service = transfer.service,
              .bytes = transfer.bytes,
              .units = units,
              .generated = domain_.now(),
              .entered = -1,
              .serialization = static_cast<Cycle>(units) - 1};
  f.client = transfer.client;
  f.notify = transfer.notify;
  f.tag = transfer.tag;
  return number;
}

void IdealNetwork::enter(NodeId from, const Transfer& transfer) {
  const std::uint64_t id = ++transfers_;
  const std::uint64_t units = units_of(transfer);
  Waiting waiting;
  const auto add = [&](NodeId to) {
    const FlightNumber number = make_flight(from, to, transfer, id, units);
    waiting.flights.push_back(number);
    ++counts_.generated;
    for (TransferObserver* o : observers_) o->on_generate(flights_[number].record);
  };
  if (transfer.group.empty()) {
    add(transfer.to);
  } else {
    for (const NodeId to : transfer.group) add(to);
  }
  nodes_[from].queue.push_back(std::move(waiting));
  plan_start(from, domain_.now());
}

void IdealNetwork::plan(Cycle at, Phase phase, Step step, std::uint32_t number) {
  domain_.schedule(at, phase, *this, number << kStepBits | static_cast<std::uint32_t>(step));
}

void IdealNetwork::plan_start(NodeId node, Cycle now) {
  Node& n = nodes_[node];
  if (n.planned || !n.waits()) return;
  n.planned = true;
  plan(std::max(now, n.free), Phase::transfer, Step::start, node);
}

void IdealNetwork::start(NodeId node, Cycle now) {
  Node& n = nodes_[node];
  n.planned = false;
  if (!n.waits()) return;  // withdrawn
  const Waiting waiting = std::move(n.queue[n.next++]);
  if (!n.waits()) {
    n.queue.clear();
    n.next = 0;
  }
  const Flight& first = flights_[waiting.flights.front()];
  n.free = now + static_cast<Cycle>(first.record.units);
  if (wants(first.notify, Notify::left)) sends_.client(first.client).left(first.tag, n.free);
  for (const FlightNumber number : waiting.flights) {
    TransferRecord& record = flights_[number].record;
    record.entered = now;
    for (TransferObserver* o : observers_) o->on_enter(record);
    const Cycle head = now + parameters_.latency(node, record.to);
    if (ranks_ != nullptr && owners_[record.to] != ranks_->rank()) {
      send_away(number, head);
    } else {
      plan(head, Phase::transfer, Step::head, number);
    }
  }
  plan_start(node, now);
}

void IdealNetwork::send_away(FlightNumber number, Cycle head) {
  FlightOnWire out{head, flights_[number]};
  out.flight.foreign = true;
  if (wants(out.flight.notify, Notify::arrived)) {
    out.flight.tag = sends_.client(out.flight.client).word(out.flight.tag);
  }
  ByteWriter(channels_[owners_[out.flight.record.to]]->out).put(out);
  free_flight(number);
}

void IdealNetwork::exchange(Cycle now) {
  const bool news = std::any_of(channels_.begin(), channels_.end(),
                                [](const RankChannel* c) { return c != nullptr && !c->out.empty(); });
  ranks_->exchange();
  for (const RankChannel* channel : channels_) {
    if (channel == nullptr) continue;
    for (ByteReader in(channel->in); !in.empty();) {
      const auto told = in.get<FlightOnWire>();
      const FlightNumber number = new_flight();
      flights_[number] = told.flight;
      plan(told.head, Phase::transfer, Step::head, number);
    }
  }
  const Cycle next = news ? now + 1 : domain_.next_busy();
  plan(next_exchange(*ranks_, now, window_, next), Phase::exchange, Step::exchange, 0);
}

// What arrives in one cycle is taken in an order of its own, whatever order it was told in.
void IdealNetwork::settle(Cycle now) {
  std::sort(heads_.begin(), heads_.end(), [this](FlightNumber a, FlightNumber b) {
    const TransferRecord& x = flights_[a].record;
    const TransferRecord& y = flights_[b].record;
    return std::tie(x.to, x.from, x.id) < std::tie(y.to, y.from, y.id);
  });
  const std::vector<FlightNumber> heads = std::exchange(heads_, {});
  for (const FlightNumber number : heads) {
    const TransferRecord& record = flights_[number].record;
    Cycle begin = now;
    if (parameters_.serial_receivers) {
      Cycle& receives = nodes_[record.to].receives;
      begin = std::max(now, receives);
      receives = begin + static_cast<Cycle>(record.units);
    }
    if (arrivals_ != nullptr) arrivals_->on_head(record, begin);
    const Cycle last = begin + record.serialization;
    if (last == now) {
      deliver(number, now);
    } else {
      plan(last, Phase::settle, Step::deliver, number);
    }
  }
}

void IdealNetwork::deliver(FlightNumber number, Cycle now) {
  const Flight f = flights_[number];
  free_flight(number);
  ++counts_.delivered;
  for (TransferObserver* o : observers_) o->on_arrive(f.record, now);
  if (!wants(f.notify, Notify::arrived)) return;
  if (f.foreign) {
    sends_.client(f.client).arrived_from_afar({f.record.from, f.record.to, f.record.bytes, f.tag}, now + 1);
  } else {
    sends_.client(f.client).arrived(f.tag, f.record.to, now + 1);
  }
}

void IdealNetwork::due(Cycle now, std::uint32_t token) {
  const std::uint32_t number = token >> kStepBits;
  switch (static_cast<Step>(token & ((1U << kStepBits) - 1))) {
    case Step::start:
      return start(number, now);
    case Step::head:
      if (heads_.empty()) plan(now, Phase::settle, Step::settle, 0);
      heads_.push_back(number);
      return;
    case Step::deliver:
      return deliver(number, now);
    case Step::settle:
      return settle(now);
    case Step::exchange:
      return exchange(now);
  }
}

void IdealNetwork::withdraw() {
  for (Node& n : nodes_) {
    for (std::size_t i = n.next; i < n.queue.size(); ++i) {
      for (const FlightNumber number : n.queue[i].flights) {
        ++counts_.withdrawn;
        for (TransferObserver* o : observers_) o->on_withdraw(flights_[number].record);
        free_flight(number);
      }
    }
    n.queue.clear();
    n.next = 0;
  }
}

std::uint64_t IdealNetwork::progress() const {
  return counts_.generated + counts_.delivered + static_cast<std::uint64_t>(domain_.now() + 1);
}

std::string IdealNetwork::describe_stall() const {
  return fmt::format("\n  {} transfers are under way", counts_.open());
}

void IdealNetwork::check_conservation(Cycle /*now*/) {
  if (free_.size() != flights_.size()) {
    throw RunError(fmt::format("{} transfers of the ideal network have not come back", flights_.size() - free_.size()));
  }
  for (const Node& n : nodes_) {
    if (n.waits()) throw RunError("a transfer waits in the interface of a node that has nothing to send");
  }
}

}  // namespace weft
