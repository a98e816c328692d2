#include "fabric/iq/iq_network.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "fabric/bind_links.h"
#include "fabric/stall_report.h"

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
  nics_[source]->submit(books_.make(source, destination, level, flits, choice), domain_.now());
}

void IqNetwork::withdraw() {
  for (const auto& n : nics_) n->withdraw();
}

std::uint64_t IqNetwork::flit_hops() const {
  std::uint64_t sum = 0;
  for (const auto& r : routers_) sum += r->grants();
  return sum;
}

std::uint64_t IqNetwork::progress() const {
  std::uint64_t sum = books_.delivered() + flit_hops();
  for (const auto& n : nics_) sum += n->sent();
  return sum;
}

std::string IqNetwork::describe_stall() const {
  StallReport report;
  for (const auto& router : routers_) {
    for (const IqRouter::Waiting& w : router->waiting()) {
      report.add(*w.message, fmt::format("{} input {} VC {}", router->name(), w.in, w.vc),
                 w.has_vc ? fmt::format("for output {} with {} credits", w.out, w.credits)
                          : fmt::format("waits for a VC of output {}", w.out));
    }
  }
  for (const auto& nic : nics_) {
    if (nic->first() == nullptr) continue;
    report.add(*nic->first(), nic->name(), fmt::format("{} messages wait behind it", nic->backlog()));
  }
  return report.text();
}

void IqNetwork::check_conservation(Cycle) {
  const auto check = [](const std::string& left, const char* where) {
    if (!left.empty()) throw RunError(fmt::format("{}: {} although nothing is under way", where, left));
  };
  for (const auto& r : routers_) check(r->leftovers(), r->name());
  for (const auto& n : nics_) check(n->leftovers(), n->name());
  books_.check_closed();
}

}  // namespace weft
