#include "fabrics/tdm/setup/setup_fabric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

SetupFabric::SetupFabric(ClockDomain& domain, std::uint32_t nodes, std::int64_t word_bits, const SetupPlan& plan,
                         std::size_t services)
    : CircuitFabric(domain, nodes, word_bits, services), plan_(plan), flows_(plan.flows.size()) {
  for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
    ends_.add(plan.flows[f].source, plan.flows[f].destinations, f);
  }
}

void SetupFabric::join(SetupNetwork& network) {
  network_ = &network;
  network.listen(*this);
  const SetupTiming& t = network.timing();
  // A message of the protocol waits for those before it, for its column of the table and for the exchange of tables.
  const Cycle longest = t.adapters.empty() ? 0 : *std::max_element(t.adapters.begin(), t.adapters.end());
  step_ = t.link + t.host_link + 2 * longest + t.processing + 2 * t.column + 2 * Cycle{t.slots};
  patience_ = std::max<Cycle>(Cycle{1} << 16, 4096 * step_);
}

void SetupFabric::queue(CircuitId circuit, Number number) {
  FlowState& flow = flows_[circuit];
  const TransferRecord& record = transfers()[number].record;
  if (flow.given_up) {
    lose_all(circuit, number, flow.oldest);
    return;
  }
  flow.open.push_back(number);
  network_->host(record.from).submit(circuit, static_cast<std::uint32_t>(record.units));
}

void SetupFabric::left(std::uint32_t flow, std::uint64_t message) {
  const FlowState& f = flows_[flow];
  if (message >= f.oldest && !f.given_up) tell_left(transfers()[f.open[message - f.oldest]], now() + 1);
}

void SetupFabric::arrived(const FlowArrival& a) {
  FlowState& f = flows_[a.flow];
  if (f.given_up) return;  // counted as lost: its source could not know better
  const Number number = f.open[a.message - f.oldest];
  Open& open = transfers()[number];
  if (open.record.entered < 0) transfers().enter(open, a.head);
  open.record.entered = a.head;  // after a refusal not the same for all destinations
  open.record.serialization = a.last - a.first;
  if (open.missing == 1) {  // everywhere else it is
    tell_left(open, now() + 1);
    f.open.pop_front();
    ++f.oldest;
    source(a.flow).forget_before(f.oldest, now());
  }
  arrive(number, plan_.flows[a.flow].destinations[a.destination], a.last);
}

void SetupFabric::given_up(std::uint32_t flow) {
  FlowState& f = flows_[flow];
  f.given_up = true;
  for (; !f.open.empty(); f.open.pop_front()) lose_all(flow, f.open.front(), f.oldest++);
}

// At all destinations that do not have it.
void SetupFabric::lose_all(std::uint32_t flow, Number number, std::uint64_t message) {
  const std::vector<NodeId>& to = plan_.flows[flow].destinations;
  for (std::size_t d = 0; d < to.size(); ++d) {
    if (network_->runs().times().arrived(flow, d) > message) continue;
    lose(transfers()[number], to[d], now(), "its circuit was refused as often in a row as setup.tries allows");
  }
  transfers().release(number);
}

// What a source has begun to send stays.
void SetupFabric::withdraw() {
  for (std::uint32_t f = 0; f < flows_.size(); ++f) {
    if (flows_[f].given_up) continue;
    for (std::uint64_t n = source(f).withdraw(now()); n > 0; --n) {
      take_back(flows_[f].open.back());
      flows_[f].open.pop_back();
    }
  }
}

// Words on their way and times that sources wait for are progress.
std::uint64_t SetupFabric::progress() const {
  Cycle moved = std::max(network_->last_event(), moving_within_nodes() ? now() : last_arrival());
  for (std::uint32_t f = 0; f < flows_.size(); ++f) {
    if (!flows_[f].open.empty()) moved = std::max(moved, std::min(now(), source(f).busy_until()));
  }
  return static_cast<std::uint64_t>(std::max<Cycle>(0, moved));
}

Cycle SetupFabric::resting_time() const {
  std::size_t requests = 0;
  std::size_t switches = 0;
  for (std::uint32_t f = 0; f < flows_.size(); ++f) {
    requests += source(f).open_requests();
    for (const auto& route : plan_.routes[f]) switches = std::max(switches, route->hops.size());
  }
  return static_cast<Cycle>((requests + 1) * 2 * (switches + 1)) * step_;
}

std::string SetupFabric::describe_stall() const {
  std::string out;
  for (std::uint32_t f = 0; f < flows_.size(); ++f) {
    if (flows_[f].open.empty()) continue;
    const TimedFlow& flow = plan_.flows[f];
    out += fmt::format("\n  host[{}]: {} transfers to {} {}", flow.source, flows_[f].open.size(),
                       fmt::join(flow.destinations, ", "),
                       network_->cut_off(flow.source)  ? "wait: the link of the node is down"
                       : source(f).open_requests() > 0 ? "are under way, or wait for their circuit"
                                                       : "wait for a circuit");
  }
  return out;
}

void SetupFabric::check_conservation(Cycle) {
  if (counts().open() > 0)
    throw RunError(fmt::format("{} deliveries have not come:{}", counts().open(), describe_stall()));
  if (const std::string wrong = network_->leftovers(); !wrong.empty()) throw RunError(wrong);
}

}  // namespace weft
