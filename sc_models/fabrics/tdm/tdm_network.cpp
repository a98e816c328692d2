#include "fabrics/tdm/tdm_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "fabrics/tdm/switch_sites.h"
#include "kernel/large_network.h"

namespace weft {
namespace {

constexpr Cycle kLongestWindow = 1024;  // cycles between two exchanges: what ranks tell each other takes memory

}  // namespace

TdmNetwork::TdmNetwork(sc_core::sc_module_name name, ClockDomain& domain, const TdmConfig& config, const Graph& graph,
                       const std::vector<PhasePlan>& phases, BlockFactory& factory, MessageSupply& supply,
                       std::vector<std::uint32_t> order, const Part& part)
    : sc_module(name), graph_(graph), phases_(phases), domain_(domain) {
  const std::vector<Cycle> adapters = adapter_delays(config.adapters, graph);
  switches_.reserve(graph.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    if (!part.has_switch(sw)) {
      switches_.push_back(nullptr);
      continue;
    }
    BlockSite site = make_site(config, graph, sw, adapters);
    site.domain = &domain_;
    site.describe_message = [this](MessageId id) { return describe_message(id); };
    switches_.push_back(std::make_unique<TdmSwitch>(fmt::format("sw[{}]", sw).c_str(), domain_, std::move(site),
                                                    make_ports(config, graph, sw, adapters), factory, observers_));
  }
  SourceUnit unit;
  if (config.board.is_board() && !config.board.shared) {
    unit = SourceUnit(config.tdm_switch.word_bits(), config.board.rate_of(config.board.source),
                      config.tdm_switch.period, graph.node_links());
  }
  hosts_.reserve(graph.nodes());
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (!part.has_node(graph, n)) {
      hosts_.push_back(nullptr);
      continue;
    }
    HostSite site = make_host_site(config, graph, n, adapters);
    site.domain = &domain_;
    site.messages = &store_;
    hosts_.push_back(std::make_unique<TdmHost>(fmt::format("host[{}]", n).c_str(), domain_, n, graph.node_links(),
                                               config.tdm_switch.slots, store_, observers_, *this, unit,
                                               [&](const std::string& path, HostInterfaceClient& client) {
                                                 site.path = path;
                                                 return factory.host_interface(site, client);
                                               }));
  }
  share_units(config);
  if (!part.whole()) cut(config, adapters, part);
  adapters_ = bind_links<TdmProtocol>(graph, switches_, hosts_, adapters, domain_,
                                      [&](LinkId link, TdmOutPort* from, TdmInPort* to, Cycle delay) {
                                        cut_->lead(graph, part.owners, link, from, to, delay);
                                      });
  if (cut_) cut_->start();
  add_circuits(supply);
  TdmController::Network view{domain_, graph_, observers_, store_, {}, {}, part.ranks, {}};
  if (cut_) view.exchange = [this] { cut_->exchange(); };
  for (auto& sw : switches_) view.switches.push_back(sw.get());
  for (auto& host : hosts_) view.hosts.push_back(host.get());
  controller_ = std::make_unique<TdmController>("controller", config, std::move(view), phases_, std::move(order));
}

void TdmNetwork::share_units(const TdmConfig& config) {
  if (!config.board.is_board() || !config.board.shared) return;
  const std::vector<std::int64_t> written = slots_written(graph_, phases_);
  std::vector<SharedUnit*> of_switch(graph_.switches(), nullptr);
  for (NodeId n = 0; n < graph_.nodes(); ++n) {
    if (hosts_[n] == nullptr) continue;
    const SwitchId sw = graph_.attachment(n).sw;
    const SourceUnit unit = unit_of_board(config, graph_, sw, written[sw]);
    if (!unit.is_slower_than_links()) continue;
    if (of_switch[sw] == nullptr) {
      units_.push_back(std::make_unique<SharedUnit>(domain_, unit, config.tdm_switch.slots));
      of_switch[sw] = units_.back().get();
    }
    hosts_[n]->share(*of_switch[sw]);
  }
}

// What leaves a switch in one cycle is in a register of the next one the latency of the link later, and leaves that
// at least a cycle after.
void TdmNetwork::cut(const TdmConfig& config, const std::vector<Cycle>& adapters, const Part& part) {
  remote_ = std::make_unique<RemoteMessages>(graph_, part, phases_, store_);
  carrier_ = std::make_unique<TdmCarrier>(*remote_);
  Cycle window = std::numeric_limits<Cycle>::max();
  for (SwitchId sw = 0; sw < graph_.switches(); ++sw) {
    for (PortId p = 0; p < graph_.ports(sw); ++p) {
      const SwitchId to = graph_.peer(sw, p).sw;
      if (to == kNoId || part.owners[to] == part.owners[sw]) continue;
      const Cycle adapter = adapters.empty() ? 0 : adapters[graph_.out_link(sw, p)];
      window = std::min(window, config.tdm_switch.pipeline + config.tdm_switch.serdes + adapter + 1);
    }
  }
  // Without a cut nothing is exchanged but the end of phases.
  cut_ = std::make_unique<TdmCut>(domain_, *part.ranks, *carrier_, std::min(window, kLongestWindow), 0);
  observers_.add(*remote_);
}

TdmNetwork::~TdmNetwork() {
  controller_.reset();
  tear_down(switches_, hosts_);
}

void TdmNetwork::add_circuits(MessageSupply& supply) {
  for (const PhasePlan& phase : phases_) {
    for (const CircuitPlan& c : phase.circuits) {
      circuits_.push_back(&c);
      if (has_host(c.source)) {
        const auto all = static_cast<std::uint32_t>(c.destinations.size());
        hosts_[c.source]->add_sender(c.id, c.injection, c.node_links, remote_ ? remote_->destinations(c.id) : all,
                                     supply, remote_ ? remote_->exits(c.id) : 0);
      }
      for (const NodeId d : c.destinations) {
        if (has_host(d)) hosts_[d]->add_receiver(c.id);
      }
    }
  }
}

void TdmNetwork::observe_cycles(std::function<Cycle(Cycle)> wants) {
  observers_.tell_cycles(domain_, std::move(wants));
}

std::string TdmNetwork::describe_message(MessageId id) const {
  const TdmMessage& m = store_[id];
  const CircuitPlan& c = *circuits_[m.circuit];
  return fmt::format("message {} of circuit {} ({} -> {})", m.sequence, m.circuit, c.source,
                     fmt::join(c.destinations, ","));
}

void TdmNetwork::circuit_finished(CircuitId) { controller_->circuit_finished(); }

void TdmNetwork::message_delivered(const DeliveryEvent& event) {
  if (remote_) {
    remote_->settle(event.id);
    controller_->message_delivered();
    return;
  }
  if (store_.outstanding() == 0) controller_->drained();
}

}  // namespace weft
