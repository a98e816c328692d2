#include "fabrics/tdm/tdm_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "fabrics/tdm/switch_sites.h"
#include "kernel/large_network.h"

namespace weft {

TdmNetwork::TdmNetwork(sc_core::sc_module_name name, ClockDomain& domain, const TdmConfig& config, const Graph& graph,
                       const std::vector<PhasePlan>& phases, BlockFactory& factory, MessageSupply& supply,
                       std::vector<std::uint32_t> order)
    : sc_module(name), graph_(graph), phases_(phases), domain_(domain) {
  const std::vector<Cycle> adapters = adapter_delays(config.adapters, graph);
  switches_.reserve(graph.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    BlockSite site = make_site(config, graph, sw, adapters);
    site.domain = &domain_;
    site.describe_message = [this](MessageId id) { return describe_message(id); };
    switches_.push_back(std::make_unique<TdmSwitch>(fmt::format("sw[{}]", sw).c_str(), domain_, std::move(site),
                                                    make_ports(config, graph, sw, adapters), factory, observers_));
  }
  SourceUnit unit;
  if (config.board.is_board()) {
    unit =
        SourceUnit(config.tdm_switch.word_bits(), config.board.rate_of(config.board.source), config.tdm_switch.period);
  }
  hosts_.reserve(graph.nodes());
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    hosts_.push_back(std::make_unique<TdmHost>(fmt::format("host[{}]", n).c_str(), domain_, n, config.tdm_switch.slots,
                                               store_, observers_, *this, unit));
  }
  adapters_ = bind_links<TdmProtocol>(graph, switches_, hosts_, adapters, domain_);
  add_circuits(supply);
  TdmController::Network view{domain_, graph_, observers_, store_, {}, {}};
  for (auto& sw : switches_) view.switches.push_back(sw.get());
  for (auto& host : hosts_) view.hosts.push_back(host.get());
  controller_ = std::make_unique<TdmController>("controller", config, std::move(view), phases_, std::move(order));
}

TdmNetwork::~TdmNetwork() {
  controller_.reset();
  tear_down(switches_, hosts_);
}

void TdmNetwork::add_circuits(MessageSupply& supply) {
  for (const PhasePlan& phase : phases_) {
    for (const CircuitPlan& c : phase.circuits) {
      circuits_.push_back(&c);
      hosts_[c.source]->add_sender(c.id, c.injection, static_cast<std::uint32_t>(c.destinations.size()), supply);
      for (const NodeId d : c.destinations) hosts_[d]->add_receiver(c.id);
    }
  }
}

void TdmNetwork::observe_cycles() { observers_.tell_cycles(domain_); }

std::string TdmNetwork::describe_message(MessageId id) const {
  const TdmMessage& m = store_[id];
  const CircuitPlan& c = *circuits_[m.circuit];
  return fmt::format("message {} of circuit {} ({} -> {})", m.sequence, m.circuit, c.source,
                     fmt::join(c.destinations, ","));
}

void TdmNetwork::circuit_finished(CircuitId) { controller_->circuit_finished(); }

void TdmNetwork::message_delivered(const DeliveryEvent&) {
  if (store_.outstanding() == 0) controller_->drained();
}

}  // namespace weft
