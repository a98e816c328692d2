#include "fabrics/packet/packet_link_faults.h"

#include "fabrics/packet/packet_network.h"

namespace weft {

void PacketLinkFaults::attach(PacketNetwork& network) {
  network_ = &network;
  wires_.resize(concerned_links());
  network.add_observer(*this);
  network.set_faults(*this);
  start(network.domain(), network.ranks());
}

Cycle PacketLinkFaults::flight_of(LinkId link) const {
  const PacketParameters& p = network_->parameters();
  return p.stages.link + (p.adapters.empty() ? 0 : p.adapters[link]);
}

void PacketLinkFaults::cut_wire(LinkId link, Cycle now) {
  std::vector<OnWire>& wire = wires_[concerned(link)];
  for (const OnWire& m : wire) {
    if (m.last >= now) lose_on_wire(m.sequence, link);
  }
  wire.clear();
}

void PacketLinkFaults::change(LinkId link, bool up, Cycle now) {
  if (graph().is_injection(link)) {
    const NodeId node = link - graph().total_ports();
    if (network_->has_switch(graph().attachment(node).sw)) network_->nic(node).egress().set_link(up, now);
  } else {
    const PortRef from = graph().driver(link);
    if (network_->has_switch(from.sw)) network_->sw(from.sw).set_link(from.port, up, now);
  }
}

void PacketLinkFaults::reroute(Cycle now) { network_->reroute(now, any_down()); }

void PacketLinkFaults::forget(std::uint32_t sequence) {
  for (std::vector<OnWire>& wire : wires_) {
    std::erase_if(wire, [&](const OnWire& m) { return m.sequence == sequence; });
  }
}

void PacketLinkFaults::note(LinkId link, const PacketMessage& message, Cycle first) {
  const std::uint32_t number = concerned(link);
  if (number == kUnconcerned) return;
  std::vector<OnWire>& wire = wires_[number];
  std::erase_if(wire, [now = network_->domain().now()](const OnWire& m) { return m.last < now; });
  wire.push_back({message.sequence, first + flight_of(link) + static_cast<Cycle>(message.flits) - 1});
}

void PacketLinkFaults::on_inject(const PacketMessage& message) {
  note(graph().injection_link(message.source), message, message.sent());
}

void PacketLinkFaults::on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) {
  note(graph().out_link(sw, out), message, first);
}

PacketRerouting::PacketRerouting(const RerouteParameters& parameters, const LaneRouter& usual, const Graph& graph)
    : MessageRerouting(parameters, usual.routing(), graph),
      usual_router_(usual),
      faults_(graph, state_, *routing_, events()) {}

void PacketRerouting::attach(PacketNetwork& network) {
  network_ = &network;
  faults_.attach(network);
  if (discards()) network.discard_unroutable();
}

PacketHop PacketRerouting::route(SwitchId at, PortId in, const PacketMessage& m) const {
  return usual_router_.hop(step({at, in, m.lane_class}, m, faults_, *network_), at, in, m);
}

}  // namespace weft
