#include "fabrics/tdm/tdm_fabric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "fabrics/tdm/message.h"

namespace weft {
namespace {

std::vector<NodeId> sorted(std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// The destination, if there is one.
std::optional<NodeId> only(const Transfer& transfer) {
  if (transfer.group.empty()) return transfer.to;
  return transfer.group.size() == 1 ? std::optional(transfer.group.front()) : std::nullopt;
}

}  // namespace

TdmFabric::TdmFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, std::uint32_t frame,
                     const std::vector<PhasePlan>& phases, std::size_t services)
    : domain_(domain),
      nodes_(nodes),
      word_bits_(word_bits),
      frame_(frame),
      services_(services),
      sends_(*this, domain),
      memory_free_(nodes) {
  for (const PhasePlan& phase : phases) {
    by_ends_.emplace_back();
    for (const CircuitPlan& c : phase.circuits) {
      // Of several with the same ends, the first one.
      if (c.destinations.size() == 1) {
        by_ends_.back().to_one.emplace(std::pair(c.source, c.destinations.front()), c.id);
      } else {
        by_ends_.back().to_several.emplace(std::pair(c.source, sorted(c.destinations)), c.id);
      }
      if (circuits_.size() <= c.id) circuits_.resize(c.id + 1);
      circuits_[c.id].plan = &c;
    }
  }
}

void TdmFabric::join(TdmNetwork& network) {
  network_ = &network;
  network.add_observer(*this);
}

const CircuitId* TdmFabric::circuit_of(NodeId from, const Transfer& transfer) const {
  const auto find = [](const auto& circuits, const auto& ends) {
    const auto found = circuits.find(ends);
    return found == circuits.end() ? nullptr : &found->second;
  };
  const Circuits& circuits = by_ends_[phase_];
  const std::optional<NodeId> to = only(transfer);
  return to ? find(circuits.to_one, std::pair(from, *to))
            : find(circuits.to_several, std::pair(from, destinations_of(transfer)));
}

void TdmFabric::send(NodeId from, const Transfer& transfer) {
  check_transfer(*this, from, transfer, services_);
  if (only(transfer) != from && circuit_of(from, transfer) == nullptr) {
    const std::vector<NodeId> to = destinations_of(transfer);
    throw RunError(fmt::format("there is no circuit from node {} to {} {}", from, to.size() == 1 ? "node" : "nodes",
                               fmt::join(to, ", ")));
  }
  sends_.send(from, transfer);
}

void TdmFabric::enter(NodeId from, const Transfer& transfer) {
  const std::uint64_t units = words_of(DataSize{static_cast<std::int64_t>(transfer.bytes) * 8}, word_bits_);
  words_ += units;
  const Number number = open_.add(from, transfer, units, domain_.now());
  if (only(transfer) == from) {
    Open& o = open_[number];
    const Cycle words = static_cast<Cycle>(units);
    const Cycle first = std::max(domain_.now(), memory_free_[from]);
    const Cycle last = memory_free_[from] = first + words;
    o.record.serialization = words - 1;
    ++to_itself_;
    open_.enter(o, first);
    domain_.schedule(last, Phase::settle, *this, number);
    if (wants(o.notify, Notify::left)) sends_.client(o.client).left(o.tag, last);
    return;
  }
  const CircuitId circuit = *circuit_of(from, transfer);
  circuits_[circuit].queue.push_back(number);
  network_->host(from).kick(circuit);
}

// The host asks when the message before has gone: `free_at` is the first cycle after its last word.
std::optional<MessageOffer> TdmFabric::next(CircuitId circuit, Cycle free_at) {
  Circuit& c = circuits_[circuit];
  if (c.leaving) {
    const Open& o = open_[*c.leaving];
    c.leaving.reset();
    if (wants(o.notify, Notify::left)) sends_.client(o.client).left(o.tag, free_at);
  }
  if (c.queue.empty()) return std::nullopt;
  const Number number = c.queue.front();
  c.queue.pop_front();
  c.leaving = number;
  const TransferRecord& record = open_[number].record;
  return MessageOffer{record.generated, static_cast<std::uint32_t>(record.units), number};
}

void TdmFabric::on_phase(std::size_t phase, Cycle data_start) {
  phase_ = phase;
  if (ready_at_ >= 0) return;
  ready_at_ = rests_since_ = data_start;
  if (ready_) ready_(data_start);
}

void TdmFabric::on_inject(NodeId, const Train& train) {
  if (train.first_word != 0) return;
  // The wait for the slot is part of the network's latency.
  const TdmMessage& message = network_->messages()[train.message];
  Open& o = open_[static_cast<Number>(message.user)];
  open_.enter(o, message.head);
}

void TdmFabric::on_deliver(const DeliveryEvent& event) {
  const auto number = static_cast<Number>(event.message.user);
  open_[number].record.serialization = event.delivered - event.first_arrival;
  last_delivery_ = event.delivered;
  arrive(number, event.destination, event.delivered);
}

void TdmFabric::due(Cycle now, std::uint32_t number) {
  --to_itself_;
  arrive(number, open_[number].record.from, now);
}

void TdmFabric::arrive(Number number, NodeId to, Cycle now) {
  Open& o = open_[number];
  rests_since_ = now;
  open_.arrive(o, to, now);
  if (o.missing == 0) open_.release(number);
  if (wants(o.notify, Notify::arrived)) sends_.client(o.client).arrived(o.tag, to, now + 1);
}

// What hosts have taken waits for its slot and will be sent.
void TdmFabric::withdraw() {
  for (Circuit& c : circuits_) {
    for (; !c.queue.empty(); c.queue.pop_front()) {
      Open& o = open_[c.queue.front()];
      open_.withdraw(o);
      open_.release(c.queue.front());
    }
  }
}

bool TdmFabric::when_ready(std::function<void(Cycle)> ready) {
  ready_ = std::move(ready);
  return true;
}

// While anything is on its way, time is progress: circuits cannot be held up.
std::uint64_t TdmFabric::progress() const {
  return static_cast<std::uint64_t>(std::max<Cycle>(0, moving() ? domain_.now() : rests_since_));
}

std::string TdmFabric::describe_stall() const {
  std::string out;
  for (const Circuit& c : circuits_) {
    const std::size_t waiting = c.queue.size() + (c.leaving ? 1 : 0);
    if (waiting == 0) continue;
    out += fmt::format("\n  {}: {} transfers wait for the circuit to {}", network_->host(c.plan->source).name(),
                       waiting, fmt::join(c.plan->destinations, ", "));
  }
  return out;
}

void TdmFabric::check_conservation(Cycle) {
  const bool queued =
      std::any_of(circuits_.begin(), circuits_.end(), [](const Circuit& c) { return !c.queue.empty(); });
  if (counts().open() == 0 && network_->messages().outstanding() == 0 && !queued) return;
  throw RunError(fmt::format("{} messages are still in the network, {} deliveries have not come:{}",
                             network_->messages().outstanding(), counts().open(), describe_stall()));
}

}  // namespace weft
