#include "support/iq_runs.h"

#include <fmt/format.h>

#include <cmath>

#include "network/routing/routing_algorithms.h"
#include "network/routing/routing_config.h"
#include "network/routing/tree_packet_routing.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::test {
namespace {

PacketRoutingOptions routing_for(const TopologyConfig& topology, bool valiant) {
  PacketRoutingOptions options;
  options.ring = RingControl::dateline;
  if (topology.kind->form == NetworkForm::tree) {
    options.routing.algorithm = valiant ? &kValiant : &kNearestCommonAncestor;
  }
  return options;
}

}  // namespace

IqSystem::IqSystem(const TopologyConfig& topology, bool valiant)
    : graph(build_topology(topology)),
      routing(make_packet_routing(routing_for(topology, valiant), graph)),
      options(routing_for(topology, valiant)) {}

IqSystemFaults::IqSystemFaults(const IqSystem& system, const std::vector<LinkEvent>& events, bool discard)
    : system_(system),
      discard_(discard),
      state_(system.graph),
      routing_(make_faulty_routing(*system.routing, system.options, system.graph, state_)),
      faults_(system.graph, state_, *routing_, events) {}

// Who is to blame does not matter here: any link that is down.
RouteStep IqSystemFaults::step(const RoutePlace& place, const PacketMessage& message) {
  const RouteStep step = routing_->step(place, message.destination, message.choice);
  if (step.count > 0) return step;
  if (!discard_) return system_.routing->step(place, message.destination, message.choice);
  LinkId down = 0;
  while (state_.up(down)) ++down;
  faults_.blame(message.sequence, down);
  return step;
}

TopologyConfig IqSystem::grid(const std::string& kind, std::vector<std::uint32_t> dims) {
  TopologyConfig t = topology_config(kind, {{"dims", std::move(dims)}});
  return t;
}

TopologyConfig IqSystem::tree(std::uint32_t arity, std::uint32_t levels) {
  TopologyConfig t = topology_config("tree", {{"arity", arity}, {"levels", levels}});
  return t;
}

std::uint32_t IqSystem::hops(NodeId source, NodeId destination, std::uint32_t choice) const {
  const PortRef start = graph.attachment(source);
  RoutePlace place{start.sw, start.port, 0};
  for (std::uint32_t n = 1;; ++n) {
    const RouteStep step = routing->step(place, destination, choice);
    if (graph.node_at(place.at, step.first) == destination) return n;
    const PortRef next = graph.peer(place.at, step.first);
    place = {next.sw, next.port, step.lane_class};
  }
}

IqParameters random_iq_parameters(RandomStream& random) {
  const auto stage = [&](std::uint64_t least) {
    return static_cast<Cycle>(least + (random.below(8) == 0 ? random.below(40) : random.below(4)));
  };
  IqParameters p;
  p.vcs = static_cast<std::uint32_t>(2 * (1 + random.below(random.below(4) == 0 ? 16 : 3)));
  p.buffer = static_cast<std::uint32_t>(1 + random.below(random.below(4) == 0 ? 40 : 9));
  p.buffer_write = stage(0);
  p.routing = stage(0);
  p.vc_allocation = stage(0);
  p.switch_allocation = stage(0);
  p.crossbar = stage(0);
  p.link = stage(1);
  p.credit = stage(1);
  p.reuse = random.below(2) == 0 ? IqReuse::after_tail : IqReuse::when_empty;
  if (random.below(2) == 0) {
    p.allocation = IqAllocation::islip;
    p.iterations = static_cast<std::uint32_t>(1 + random.below(3));
  }
  return p;
}

IqListSource::IqListSource(IqNetwork& network, const std::vector<oracle::IqPacket>& packets)
    : network_(network), packets_(packets) {
  outcome_.sent.resize(packets.size(), -1);
  outcome_.delivered.resize(packets.size(), -1);
  outcome_.lost.resize(packets.size(), -1);
  network.add_observer(*this);
  if (!packets.empty()) network.domain().schedule(packets.front().generated, Phase::prepare, *this, 0);
}

void IqListSource::due(Cycle now, std::uint32_t) {
  while (next_ < packets_.size() && packets_[next_].generated == now) {
    const oracle::IqPacket& p = packets_[next_];
    network_.submit(p.source, p.destination, 0, p.flits, p.choice);
    ++next_;
  }
  if (next_ < packets_.size()) network_.domain().schedule(packets_[next_].generated, Phase::prepare, *this, 0);
}

void IqListSource::on_generate(const PacketMessage& message) { under_way_[&message] = next_; }

void IqListSource::on_inject(const PacketMessage& message) { outcome_.sent[under_way_.at(&message)] = message.sent(); }

void IqListSource::on_deliver(const PacketMessage& message, Cycle now) {
  ended(message, outcome_.delivered[under_way_.at(&message)], now);
}

void IqListSource::on_lose(const PacketMessage& message, LossCause, Cycle now) {
  ended(message, outcome_.lost[under_way_.at(&message)], now);
}

void IqListSource::ended(const PacketMessage& message, Cycle& at, Cycle now) {
  if (at >= 0) throw std::runtime_error("a packet came back twice");
  at = now;
  under_way_.erase(&message);
}

IqBernoulli::IqBernoulli(IqNetwork& network, std::uint32_t nodes, const Options& options)
    : network_(network), nodes_(nodes), options_(options), log_miss_(std::log1p(-options.load / options.flits)) {
  network.add_observer(*this);
  for (NodeId n = 0; n < nodes; ++n) {
    random_.emplace_back(options.seed, fmt::format("node {}", n));
    network.domain().schedule(gap(random_.back()) - 1, Phase::prepare, *this, n);
  }
}

// Cycles from one packet to the next: geometric.
Cycle IqBernoulli::gap(RandomStream& random) {
  if (options_.load >= options_.flits) return 1;
  return 1 + static_cast<Cycle>(std::log1p(-random.uniform()) / log_miss_);
}

void IqBernoulli::due(Cycle now, std::uint32_t node) {
  if (now >= options_.until) return;
  RandomStream& random = random_[node];
  auto to = static_cast<NodeId>(random.below(options_.self ? nodes_ : nodes_ - 1));
  if (!options_.self && to >= node) ++to;
  if (options_.hot != kNoId) to = options_.hot;
  network_.submit(node, to, 0, options_.flits, static_cast<std::uint32_t>(random()));
  network_.domain().schedule(now + gap(random), Phase::prepare, *this, node);
}

void IqBernoulli::on_deliver(const PacketMessage& message, Cycle now) {
  checksum_ += static_cast<std::uint64_t>(now) * (message.source * 1000003ULL + message.destination * 7919ULL +
                                                  static_cast<std::uint64_t>(message.generated));
  if (now >= options_.from && now < options_.until) flits_ += message.flits;
  if (message.generated < options_.from) return;
  latency_ += now - message.generated;
  ++counted_;
}

double IqBernoulli::throughput() const {
  return static_cast<double>(flits_) / static_cast<double>(options_.until - options_.from) / nodes_;
}

}  // namespace weft::test
