#include "fabrics/packet/iq/iq_faults.h"

#include <algorithm>
#include <set>

#include "fabrics/packet/iq/iq_network.h"

namespace weft {

void IqLinkFaults::attach(IqNetwork& network, IqRerouting& rerouting) {
  network_ = &network;
  network.set_faults(*this, rerouting);
  start(network.domain(), network.ranks());
}

void IqLinkFaults::catch_up() { network_->catch_up(); }

// A flit is with the device behind the link from the cycle on in which its sender has decided for it. So what is on the
// wire is there: the flits that have not arrived, and the packets of which the tail has not been sent.
void IqLinkFaults::cut_wire(LinkId link, Cycle now) {
  std::set<std::uint32_t> cut;
  const auto visit = [&](const PacketMessage& m) { cut.insert(m.sequence); };
  if (graph().is_injection(link)) {
    const PortRef to = graph().attachment(link - graph().total_ports());
    if (!network_->has_router(to.sw)) return;
    network_->core().each_on_wire(network_->model(to.sw).index(to.port), now, visit);
  } else {
    const PortRef from = graph().driver(link);
    const NodeId node = graph().node_at(from.sw, from.port);
    const PortRef to = graph().peer(from.sw, from.port);
    if (!network_->has_router(node != kNoId ? from.sw : to.sw)) return;
    if (node != kNoId) {
      network_->nic(node).each_on_wire(visit);
    } else {
      network_->core().each_on_wire(network_->model(to.sw).index(to.port), now, visit);
    }
  }
  for (const std::uint32_t sequence : cut) lose_on_wire(sequence, link);
}

void IqLinkFaults::change(LinkId link, bool up, Cycle now) {
  if (graph().is_injection(link)) {
    const NodeId node = link - graph().total_ports();
    if (network_->has_router(graph().attachment(node).sw)) network_->nic(node).set_link(up, now);
  } else {
    const PortRef from = graph().driver(link);
    if (!network_->has_router(from.sw)) return;
    network_->core().set_link(network_->model(from.sw).index(from.port), up, now);
  }
}

void IqLinkFaults::reroute(Cycle now) { network_->core().reroute(now); }

void IqDiscards::add(std::uint32_t vc, Cycle from) {
  places_.push_back({vc, from});
  const Cycle now = network_.domain().now();
  if (planned_ >= now) return;
  planned_ = now;
  network_.domain().schedule(now, Phase::settle, *this, 0);
}

bool IqDiscards::recall(std::uint32_t vc, Cycle now) {
  return std::erase_if(places_, [&](const Place& p) { return p.vc == vc && p.from >= now; }) > 0;
}

void IqDiscards::due(Cycle now, std::uint32_t) {
  // A packet that is gone may make way for one that has none either: that comes behind those there are.
  for (std::size_t i = 0; i < places_.size();) {
    const Place place = places_[i];
    bool gone = false;
    if (place.from <= now) {
      const IqCore::Discarded out = network_.core().discard_flit(place.vc, now);
      flits_ += out.flit ? 1 : 0;
      if (out.whole != nullptr) network_.take_loss(*out.whole, now);
      gone = out.whole != nullptr;
    }
    if (gone) {
      places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  if (places_.empty()) return;
  planned_ = now + 1;
  network_.domain().schedule(now + 1, Phase::settle, *this, 0);
}

void IqFaults::attach(IqNetwork& network) {
  network_ = &network;
  faults_.attach(network, *this);
}

RouteStep IqFaults::step(const RoutePlace& place, const PacketMessage& message) {
  return MessageRerouting::step(place, message, faults_, *network_);
}

}  // namespace weft
