#include "fabric/iq/iq_network.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "fabric/bind_links.h"

namespace weft {

IqNetwork::IqNetwork(sc_core::sc_module_name name, Duration period, const Graph& graph, const IqParameters& parameters,
                     const PacketRouting& routing)
    : sc_module(name),
      routes_(routing, graph),
      domain_("clock", period),
      agenda_(domain_, parameters, graph.switches() + graph.nodes()) {
  if (const std::string problem = iq_problem(parameters, routing, graph); !problem.empty()) throw RunError(problem);
  routers_.reserve(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    IqSite site;
    site.sw = s;
    site.ports = graph.ports(s);
    for (PortId p = 0; p < site.ports; ++p) {
      site.to_node.push_back(graph.node_at(s, p) != kNoId);
      site.connected.push_back(!graph.is_free({s, p}));
    }
    routers_.push_back(std::make_unique<IqRouter>(fmt::format("router[{}]", s).c_str(), domain_, agenda_, site,
                                                  parameters, routes_, observers_));
  }
  nics_.reserve(graph.nodes());
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    nics_.push_back(std::make_unique<IqNic>(fmt::format("nic[{}]", n).c_str(), domain_, agenda_, graph.switches() + n,
                                            n, parameters, observers_, *this));
  }
  for (const auto& r : routers_) agenda_.add(*r);
  for (const auto& n : nics_) agenda_.add(*n);
  bind_links(graph, routers_, nics_);
}

// Last made first: see FicNetwork::~FicNetwork.
IqNetwork::~IqNetwork() {
  while (!nics_.empty()) nics_.pop_back();
  while (!routers_.empty()) routers_.pop_back();
}

void IqNetwork::submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits,
                       std::uint32_t choice) {
  PacketMessage& m = pool_.take();
  m.source = source;
  m.destination = destination;
  m.level = level;
  m.flits = flits;
  m.choice = choice;
  ++generated_;
  nics_[source]->submit(m, domain_.now());
}

void IqNetwork::take_delivery(PacketMessage& message, Cycle now) {
  ++delivered_;
  observers_.tell([&](PacketObserver& o) { o.on_deliver(message, now); });
  pool_.give_back(message);
}

std::uint64_t IqNetwork::flit_hops() const {
  std::uint64_t sum = 0;
  for (const auto& r : routers_) sum += r->grants();
  return sum;
}

std::uint64_t IqNetwork::progress() const {
  std::uint64_t sum = delivered_ + flit_hops();
  for (const auto& n : nics_) sum += n->sent();
  return sum;
}

std::string IqNetwork::describe_stall() const {
  constexpr int kListed = 10;
  std::string lines;
  int listed = 0;
  const PacketMessage* oldest = nullptr;
  std::string oldest_at;
  const auto text = [](const PacketMessage& m) {
    return fmt::format("packet {} -> {}, {} flits", m.source, m.destination, m.flits);
  };
  const auto add = [&](const PacketMessage& m, const std::string& where, const std::string& what) {
    if (++listed <= kListed) lines += fmt::format("\n  {}: {}; {}", where, text(m), what);
    if (oldest != nullptr && oldest->generated <= m.generated) return;
    oldest = &m;
    oldest_at = where;
  };
  for (const auto& router : routers_) {
    for (const IqRouter::Waiting& w : router->waiting()) {
      add(*w.message, fmt::format("{} input {} VC {}", router->name(), w.in, w.vc),
          w.has_vc ? fmt::format("for output {} with {} credits", w.out, w.credits)
                   : fmt::format("waits for a VC of output {}", w.out));
    }
  }
  for (const auto& nic : nics_) {
    if (nic->first() != nullptr) {
      add(*nic->first(), nic->name(), fmt::format("{} packets wait behind it", nic->backlog()));
    }
  }
  if (listed > kListed) lines += fmt::format("\n  and {} more", listed - kListed);
  if (oldest != nullptr) {
    lines += fmt::format("\n  oldest: {}, generated in cycle {}, at {}", text(*oldest), oldest->generated, oldest_at);
  }
  return lines;
}

void IqNetwork::check_conservation(Cycle) {
  const auto check = [](const std::string& left, const char* where) {
    if (!left.empty()) throw RunError(fmt::format("{}: {} although nothing is under way", where, left));
  };
  for (const auto& r : routers_) check(r->leftovers(), r->name());
  for (const auto& n : nics_) check(n->leftovers(), n->name());
}

}  // namespace weft
