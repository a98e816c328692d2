#include "fabrics/tdm/tdm_fabric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "fabrics/tdm/message.h"

namespace weft {

TdmFabric::TdmFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, std::uint32_t frame,
                     const std::vector<PhasePlan>& phases, std::size_t services)
    : CircuitFabric(domain, nodes, word_bits, services), frame_(frame) {
  for (const PhasePlan& phase : phases) {
    by_ends_.emplace_back();
    for (const CircuitPlan& c : phase.circuits) {
      by_ends_.back().add(c.source, c.destinations, c.id);
      if (circuits_.size() <= c.id) circuits_.resize(c.id + 1);
      circuits_[c.id].plan = &c;
    }
  }
}

void TdmFabric::join(TdmNetwork& network) {
  network_ = &network;
  network.add_observer(*this);
}

void TdmFabric::queue(CircuitId circuit, Number number) {
  circuits_[circuit].queue.push_back(number);
  network_->host(transfers()[number].record.from).kick(circuit);
}

// The host asks when the message before has gone: `free_at` is the first cycle after its last word.
std::optional<MessageOffer> TdmFabric::next(CircuitId circuit, Cycle free_at) {
  Circuit& c = circuits_[circuit];
  if (c.leaving) {
    Open& o = transfers()[*c.leaving];
    c.leaving.reset();
    tell_left(o, free_at);
  }
  if (c.queue.empty()) return std::nullopt;
  const Number number = c.queue.front();
  c.queue.pop_front();
  c.leaving = number;
  const TransferRecord& record = transfers()[number].record;
  return MessageOffer{record.generated, static_cast<std::uint32_t>(record.units), number};
}

void TdmFabric::on_phase(std::size_t phase, Cycle data_start) {
  phase_ = phase;
  if (ready_at_ >= 0) return;
  ready_at_ = data_start;
  if (ready_) ready_(data_start);
}

void TdmFabric::on_inject(NodeId, const Train& train) {
  if (train.first_word != 0) return;
  // The wait for the slot is part of the network's latency.
  const TdmMessage& message = network_->messages()[train.message];
  transfers().enter(transfers()[static_cast<Number>(message.user)], message.head);
}

void TdmFabric::on_deliver(const DeliveryEvent& event) {
  const auto number = static_cast<Number>(event.message.user);
  transfers()[number].record.serialization = event.delivered - event.first_arrival;
  last_delivery_ = event.delivered;
  arrive(number, event.destination, event.delivered);
}

// What hosts have taken waits for its slot and will be sent.
void TdmFabric::withdraw() {
  for (Circuit& c : circuits_) {
    for (; !c.queue.empty(); c.queue.pop_front()) take_back(c.queue.front());
  }
}

bool TdmFabric::when_ready(std::function<void(Cycle)> ready) {
  ready_ = std::move(ready);
  return true;
}

// While anything is on its way, time is progress: circuits cannot be held up.
std::uint64_t TdmFabric::progress() const {
  return static_cast<std::uint64_t>(std::max<Cycle>(0, moving() ? now() : std::max(ready_at_, last_arrival())));
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
