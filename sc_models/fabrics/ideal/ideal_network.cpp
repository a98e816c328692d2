#include "fabrics/ideal/ideal_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr unsigned kStepBits = 2;

}  // namespace

IdealNetwork::IdealNetwork(sc_core::sc_module_name name, ClockDomain& domain, IdealParameters parameters)
    : sc_module(name),
      domain_(domain),
      parameters_(std::move(parameters)),
      sends_(*this, domain),
      nodes_(parameters_.nodes) {}

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

IdealNetwork::FlightNumber IdealNetwork::make_flight(NodeId from, NodeId to, const Transfer& transfer, std::uint64_t id,
                                                     std::uint64_t units) {
  if (free_.empty()) {
    free_.push_back(static_cast<FlightNumber>(flights_.size()));
    flights_.emplace_back();
  }
  const FlightNumber number = free_.back();
  free_.pop_back();
  Flight& f = flights_[number];
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
    plan(now + parameters_.latency(node, record.to), Phase::transfer, Step::head, number);
  }
  plan_start(node, now);
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
  if (wants(f.notify, Notify::arrived)) sends_.client(f.client).arrived(f.tag, f.record.to, now + 1);
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
