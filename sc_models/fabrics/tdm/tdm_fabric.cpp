#include "fabrics/tdm/tdm_fabric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/diagnostics.h"
#include "fabrics/tdm/message.h"

namespace weft {

TdmFabric::TdmFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, std::uint32_t frame,
                     const std::vector<PhasePlan>& phases, std::size_t services, std::vector<std::uint32_t> order)
    : CircuitFabric(domain, nodes, word_bits, services),
      frame_(frame),
      order_(std::move(order)),
      reached_(nodes, 0),
      circuits_from_(order_.empty() ? 0 : nodes) {
  for (const PhasePlan& phase : phases) {
    by_ends_.emplace_back();
    for (const CircuitPlan& c : phase.circuits) {
      by_ends_.back().add(c.source, c.destinations, c.id);
      if (circuits_.size() <= c.id) circuits_.resize(c.id + 1);
      circuits_[c.id].plan = &c;
      if (!order_.empty()) circuits_from_[c.source].push_back(c.id);
    }
  }
}

void TdmFabric::join(TdmNetwork& network) {
  network_ = &network;
  network.add_observer(*this);
  if (network.remote() != nullptr) network.remote()->set_owner(*this);
}

const CircuitEnds& TdmFabric::circuits(const Transfer& transfer) const {
  return by_ends_[transfer.step == kPresentStep ? phase_ : order_.at(transfer.step)];
}

// Circuits of a step that is over for their source may be finished.
void TdmFabric::reach(NodeId node, std::uint32_t step) {
  if (order_.empty() || step <= reached_[node]) return;
  reached_[node] = step;
  for (const CircuitId c : circuits_from_[node]) network_->host(node).kick(c);
}

bool TdmFabric::finished(CircuitId circuit) const {
  const Circuit& c = circuits_[circuit];
  return !order_.empty() && c.queue.empty() && reached_[c.plan->source] > step_;
}

void TdmFabric::queue(CircuitId circuit, Number number) {
  Open& o = transfers()[number];
  if (network_->remote() != nullptr) {
    o.away = static_cast<std::uint32_t>(o.to.size()) - network_->remote()->destinations(circuit);
  }
  circuits_[circuit].queue.push_back(number);
  network_->host(o.record.from).kick(circuit);
}

// The host asks when the message before has gone: `free_at` is the first cycle after its last word.
std::optional<MessageOffer> TdmFabric::next(CircuitId circuit, Cycle free_at) {
  Circuit& c = circuits_[circuit];
  if (c.leaving) {
    const Number left = *c.leaving;
    Open& o = transfers()[left];
    c.leaving.reset();
    tell_left(o, free_at);
    if (o.away > 0 && o.away == o.missing) transfers().release(left);  // nothing of it arrives here
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
  if (ready_at_ >= 0) {
    ++step_;
    return;
  }
  ready_at_ = data_start;
  if (ready_) ready_(data_start);
}

void TdmFabric::on_inject(NodeId, std::uint32_t, const Train& train) {
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

TdmCargo TdmFabric::cargo(std::uint64_t user) const {
  const Open& o = transfers()[static_cast<Number>(user)];
  const bool asked = wants(o.notify, Notify::arrived);
  return {.id = o.record.id,
          .bytes = o.record.bytes,
          .word = asked ? client(o.client).word(o.tag) : 0,
          .service = o.record.service,
          .client = o.client,
          .notify = o.notify};
}

std::uint64_t TdmFabric::take_cargo(const TdmMessage& message, const TdmCargo& cargo) {
  const CircuitPlan& plan = *circuits_[message.circuit].plan;
  std::vector<NodeId> here;
  for (const NodeId to : plan.destinations) {
    if (network_->has_host(to)) here.push_back(to);
  }
  if (here.empty()) return 0;
  const Number number = transfers().add_foreign({.id = cargo.id,
                                                 .from = plan.source,
                                                 .service = cargo.service,
                                                 .bytes = cargo.bytes,
                                                 .units = message.words,
                                                 .generated = message.generated,
                                                 .entered = message.head},
                                                std::move(here), cargo.word);
  Open& o = transfers()[number];
  o.client = cargo.client;
  o.notify = cargo.notify;
  o.foreign = true;
  return number;
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
  return out + describe_step();
}

std::string TdmFabric::describe_step() const {
  if (order_.empty()) return {};
  constexpr std::size_t kMostNamed = 16;
  std::set<NodeId> behind;
  const PhasePlan& phase = network_->phases()[phase_];
  for (const CircuitPlan& c : phase.circuits) {
    if (reached_[c.source] <= step_ && behind.size() <= kMostNamed) behind.insert(c.source);
  }
  if (behind.empty()) return {};
  const bool more = behind.size() > kMostNamed;
  if (more) behind.erase(std::prev(behind.end()));
  return fmt::format(
      "\n  step {} of {}, circuits of phase '{}': they do not change before node{} {}{} {} sent everything", step_ + 1,
      order_.size(), phase.name, behind.size() == 1 ? "" : "s", fmt::join(behind, ", "), more ? " and others" : "",
      behind.size() == 1 ? "has" : "have");
}

void TdmFabric::check_conservation(Cycle) {
  const bool queued =
      std::any_of(circuits_.begin(), circuits_.end(), [](const Circuit& c) { return !c.queue.empty(); });
  const bool closed = counts().open() == 0 || network_->remote() != nullptr;  // of a part: unclosed()
  if (closed && network_->messages().outstanding() == 0 && !queued) return;
  throw RunError(fmt::format("{} messages are still in the network, {} deliveries have not come:{}",
                             network_->messages().outstanding(), counts().open(), describe_stall()));
}

}  // namespace weft
