#include "fabric/packet/link_faults.h"

#include <algorithm>

#include "fabric/packet/packet_network.h"

namespace weft {

LinkFaults::LinkFaults(const Graph& graph, LinkState& state, FaultyRouting& routing, std::vector<LinkEvent> events)
    : graph_(graph), state_(state), routing_(routing), events_(std::move(events)) {
  std::stable_sort(events_.begin(), events_.end(),
                   [](const LinkEvent& a, const LinkEvent& b) { return a.cycle < b.cycle; });
  for (const LinkEvent& e : events_) {
    links_[e.link];
    links_[other_way(e.link)];
  }
}

void LinkFaults::attach(PacketNetwork& network) {
  network_ = &network;
  flight_ = network.parameters().stages.link;
  network.add_observer(*this);
  network.set_faults(*this);
  if (!events_.empty()) network.domain().schedule(events_.front().cycle, Phase::prepare, *this, 0);
}

LinkId LinkFaults::other_way(LinkId link) const {
  if (graph_.is_injection(link)) {
    const PortRef at = graph_.attachment(link - graph_.total_ports());
    return graph_.out_link(at.sw, at.port);
  }
  const PortRef from = graph_.driver(link);
  const NodeId node = graph_.node_at(from.sw, from.port);
  if (node != kNoId) return graph_.injection_link(node);
  const PortRef to = graph_.peer(from.sw, from.port);
  return graph_.out_link(to.sw, to.port);
}

void LinkFaults::due(Cycle now, std::uint32_t) {
  // First all changes, so that nothing is routed by half of them.
  std::vector<std::pair<LinkId, bool>> changed;
  for (; next_ < events_.size() && events_[next_].cycle == now; ++next_) {
    for (const LinkId link : {events_[next_].link, other_way(events_[next_].link)}) {
      std::vector<std::uint32_t>& holders = links_[link].holders;
      const bool was_up = holders.empty();
      if (events_[next_].up) {
        holders.erase(std::find(holders.begin(), holders.end(), events_[next_].fault));
      } else {
        holders.push_back(events_[next_].fault);
      }
      if (was_up == holders.empty()) continue;
      changed.emplace_back(link, !was_up);
    }
  }
  for (const auto& [link, up] : changed) {
    state_.set(link, up);
    if (!up) cut_wire(link, now);
  }
  routing_.update();
  for (const auto& [link, up] : changed) change(link, up, now);
  if (!changed.empty()) network_->reroute(now);
  if (next_ < events_.size()) network_->domain().schedule(events_[next_].cycle, Phase::prepare, *this, 0);
}

void LinkFaults::cut_wire(LinkId link, Cycle now) {
  std::vector<OnWire>& wire = links_[link].wire;
  for (const OnWire& m : wire) {
    if (m.last >= now && cut_.emplace(m.sequence, holder(link)).second) ++cuts_;
  }
  wire.clear();
}

std::optional<LossCause> LinkFaults::take_cut(std::uint32_t sequence) {
  const auto found = cut_.find(sequence);
  if (found == cut_.end()) return std::nullopt;
  const LossCause cause{true, found->second};
  cut_.erase(found);
  return cause;
}

LossCause LinkFaults::no_way(std::uint32_t sequence) {
  const auto found = blamed_.find(sequence);
  const LossCause way{false, found->second};
  blamed_.erase(found);
  return cut(sequence).value_or(way);
}

void LinkFaults::change(LinkId link, bool up, Cycle now) {
  down_ += up ? -1U : 1U;
  if (graph_.is_injection(link)) {
    network_->nic(link - graph_.total_ports()).egress().set_link(up, now);
  } else {
    const PortRef from = graph_.driver(link);
    network_->sw(from.sw).set_link(from.port, up, now);
  }
}

void LinkFaults::note(LinkId link, const PacketMessage& message, Cycle first) {
  const auto found = links_.find(link);
  if (found == links_.end()) return;
  std::vector<OnWire>& wire = found->second.wire;
  std::erase_if(wire, [now = network_->domain().now()](const OnWire& m) { return m.last < now; });
  wire.push_back({message.sequence, first + flight_ + static_cast<Cycle>(message.flits) - 1});
}

void LinkFaults::on_inject(const PacketMessage& message) {
  note(graph_.injection_link(message.source), message, message.sent);
}

void LinkFaults::on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) {
  note(graph_.out_link(sw, out), message, first);
}

}  // namespace weft
