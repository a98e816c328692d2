#include "fabrics/packet/packet_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/diagnostics.h"
#include "fabrics/packet/common/link_faults.h"
#include "fabrics/packet/common/stalled_messages.h"
#include "fabrics/packet/common/switch_architecture.h"
#include "kernel/large_network.h"
#include "kernel/link.h"
#include "kernel/switch_site.h"

namespace weft {

PacketNetwork::PacketNetwork(sc_core::sc_module_name name, ClockDomain& domain, const Graph& graph,
                             const PacketParameters& parameters, const PacketRouter& router,
                             EgressSchedulerFactory& schedulers, const Part& part)
    : sc_module(name),
      graph_(graph),
      parameters_(parameters),
      ranks_(part.ranks),
      domain_(domain),
      common_(domain_, parameters, observers_) {
  switches_.resize(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!part.has_switch(s)) continue;
    const std::string label = fmt::format("sw[{}]", s);
    switches_[s] =
        parameters.architecture->make(label.c_str(), site_of(graph, s), parameters, router, schedulers, common_);
  }
  nics_.resize(graph.nodes());
  cores_.resize(graph.nodes());
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (!part.has_node(graph, n)) continue;
    nics_[n] =
        std::make_unique<Nic>(fmt::format("nic[{}]", n).c_str(), n, parameters, router, schedulers, common_, *this);
    cores_[n] = &nics_[n]->core();
  }
  if (!part.whole()) {
    accounting_.number_as(*part.ranks);
    remote_ = RemoteTransfers(graph, part);
    // From a decision to the first flit behind the link, and from a grant to the first place that the sender gets back;
    // each grant gives places back in two pieces at most.
    const StageLatencies& stages = parameters.stages;
    const Cycle window = std::min(stages.output + stages.link, stages.allocation + stages.credit);
    cut_ = std::make_unique<PacketCut>(domain_, *part.ranks, carrier_, window, 2 * parameters.iterations);
  }
  adapters_ = bind_links<PacketProtocol>(graph, switches_, nics_, parameters.adapters, domain,
                                         [&](LinkId link, PacketOutPort* from, PacketInPort* to, Cycle delay) {
                                           cut_->lead(graph, part.owners, link, from, to, delay);
                                         });
  if (cut_) cut_->start();
  fetch_ahead(is_large(graph));
}

PacketNetwork::~PacketNetwork() { tear_down(switches_, nics_); }

void PacketNetwork::start_of_simulation() { join_pages_of_large(graph_); }

void PacketNetwork::withdraw() {
  for (NicCore* const n : cores_) {
    if (n != nullptr) n->withdraw();
  }
}

void PacketNetwork::discard_unroutable() {
  for (const auto& s : switches_) {
    if (s) s->discard_to(this);
  }
}

void PacketNetwork::reroute(Cycle now, bool some_down) {
  common_.routes_late = some_down;
  for (const auto& s : switches_) {
    if (s) s->reroute(now);
  }
}

void PacketNetwork::take_delivery(PacketMessage& message, Cycle now) {
  if (faults_ != nullptr) {
    if (const auto cause = faults_->cut(message.sequence)) {
      accounting_.lose(message, *cause, now);
      return;
    }
  }
  accounting_.deliver(message, now);
}

void PacketNetwork::take_loss(PacketMessage& message, Cycle now) {
  accounting_.lose(message, faults_->no_route(message.sequence), now);
}

void PacketNetwork::take_loss(PacketMessage& message, Cycle now, SwitchId sw, PortId out) {
  faults_->blame(message.sequence, graph_.out_link(sw, out));
  take_loss(message, now);
}

std::uint64_t PacketNetwork::progress() const {
  return accounting_.delivered() + accounting_.lost() + common_.sent + common_.grants;
}

std::vector<StalledPort> PacketNetwork::stalled() const {
  StalledMessages out;
  const auto add_egress = [&](std::uint64_t order, const EgressPort& e, const std::string& name) {
    for (VirtualLane v = 0; v < e.lanes() && !e.empty(); ++v) {
      if (e.empty(v)) continue;
      out.add(order, e.queue(v), fmt::format("{} VL {}", name, v),
              fmt::format("credits for {} flits", e.credits().room_at(v, common_.domain.now())));
    }
  };
  for (SwitchId s = 0; s < switches_.size(); ++s) {
    const auto& sw = switches_[s];
    if (!sw) continue;
    for (PortId p = 0; p < sw->ports(); ++p) {
      if (sw->egress(p) != nullptr) add_egress(s, *sw->egress(p), fmt::format("{} output {}", sw->name(), p));
    }
    for (const PacketSwitch::Waiting& w : sw->waiting()) {
      const PacketHop& hop = w.queue->front()->hop;
      out.add(s, *w.queue, fmt::format("{} input {} VL {}", sw->name(), w.in, w.lane),
              fmt::format("for output {}{} VL {}", hop.first,
                          hop.count > 1 ? fmt::format("..{}", hop.first + hop.count - 1) : "", hop.lane));
    }
  }
  for (NodeId n = 0; n < nics_.size(); ++n) {
    if (nics_[n]) add_egress(switches_.size() + n, nics_[n]->egress(), nics_[n]->name());
  }
  return out.take();
}

// `own`: the switch of the port, null for a NIC. A NIC at the other end gives every flit back as it arrives.
std::string PacketNetwork::audit_sender(const EgressPort& egress, const sc_core::sc_module& module,
                                        const PacketSwitch* own, PortId port, PortRef to) const {
  const auto name = [&] {
    return own == nullptr ? std::string(module.name()) : fmt::format("{} output {}", module.name(), port);
  };
  for (VirtualLane v = 0; v < egress.lanes(); ++v) {
    const std::int64_t inside = common_.places(v, egress.queue(v)) + (own == nullptr ? 0 : own->promised(port, v));
    if (egress.space().held(v) != inside) {
      return fmt::format("buffer of {} VL {}: {} flits in use for {} flits of messages", name(), v,
                         egress.space().held(v), inside);
    }
    if (to.sw != kNoId && !switches_[to.sw]) continue;  // what is behind it is known to another rank
    const std::int64_t behind = to.sw == kNoId ? 0 : switches_[to.sw]->held(to.port, v);
    const std::int64_t missing = egress.credits().held(v) - behind;
    if (missing == 0) continue;
    const std::string waits =
        egress.empty(v) ? std::string("no message waits there")
                        : fmt::format("a message of {} flits waits there with credits for {}", egress.front(v)->flits,
                                      egress.credits().room_at(v, common_.domain.now()));
    return fmt::format("{} VL {}: {} credits {}; {}", name(), v, std::abs(missing),
                       missing > 0 ? "are lost, neither at the sender nor with a message nor on their way back"
                                   : "more than the buffer behind the link has space",
                       waits);
  }
  return {};
}

std::string PacketNetwork::audit() const {
  for (SwitchId s = 0; s < switches_.size(); ++s) {
    if (!switches_[s]) continue;
    const PacketSwitch& sw = *switches_[s];
    for (PortId p = 0; p < sw.ports(); ++p) {
      if (sw.egress(p) == nullptr) continue;
      std::string found = audit_sender(*sw.egress(p), sw, &sw, p, graph_.peer(s, p));
      if (!found.empty()) return found;
    }
    if (const std::string found = sw.audit(); !found.empty()) return fmt::format("{} {}", sw.name(), found);
  }
  for (NodeId n = 0; n < cores_.size(); ++n) {
    if (cores_[n] == nullptr) continue;
    std::string found = audit_sender(cores_[n]->egress(), cores_[n]->module(), nullptr, 0, graph_.attachment(n));
    if (!found.empty()) return found;
  }
  return {};
}

void PacketNetwork::check_conservation(Cycle now) {
  const auto check = [&](SharedBuffer& buffer, const std::string& what) {
    buffer.advance(now);
    if (buffer.used() != 0) {
      throw RunError(fmt::format("{} of {} not back although nothing is under way", buffer.used(), what));
    }
  };
  for (const auto& sw : switches_) {
    if (!sw) continue;
    for (PortId p = 0; p < sw->ports(); ++p) {
      if (sw->egress(p) == nullptr) continue;
      check(sw->egress(p)->space(), fmt::format("space of {} output {}", sw->name(), p));
      check(sw->egress(p)->credits(), fmt::format("credits of {} output {}", sw->name(), p));
    }
  }
  for (const auto& nic : nics_) {
    if (!nic) continue;
    check(nic->egress().space(), fmt::format("space of {}", nic->name()));
    check(nic->egress().credits(), fmt::format("credits of {}", nic->name()));
  }
  if (!cut_) accounting_.check_closed();
}

}  // namespace weft
