#include "run/packet/packet_faults.h"

#include "fabrics/packet/iq/iq_network.h"
#include "fabrics/packet/packet_network.h"
#include "network/places/port_ranges.h"

namespace weft {

MessageRerouting::MessageRerouting(const PacketPlatform& platform)
    : platform_(platform),
      state_(platform.graph()),
      routing_(make_faulty_routing(platform.routing(), platform.config().routing.algorithm, platform.graph(), state_)) {
}

std::vector<LinkEvent> MessageRerouting::events(const PacketPlatform& platform) {
  std::vector<LinkEvent> out;
  const std::vector<FaultConfig>& faults = platform.config().faults;
  for (std::uint32_t i = 0; i < faults.size(); ++i) {
    for (const LinkId link : cables_of(faults[i].place, platform.graph())) {
      out.push_back({faults[i].down, link, false, i});
      if (faults[i].up) out.push_back({*faults[i].up, link, true, i});
    }
  }
  return out;
}

// Follows the route the message would take if everything were up, to the first link that is down. There is one unless
// the message takes its usual route.
std::optional<LinkId> MessageRerouting::first_down(RoutePlace place, const PacketMessage& m) const {
  const Graph& graph = platform_.graph();
  for (SwitchId n = 0; n < graph.switches(); ++n) {
    const RouteStep step = platform_.routing().step(place, m.destination, m.choice);
    PortId port = step.first;
    while (port < step.first + step.count && !state_.up(place.at, port)) ++port;
    if (port == step.first + step.count) return graph.out_link(place.at, step.first);
    if (graph.node_at(place.at, port) != kNoId) break;
    const PortRef next = graph.peer(place.at, port);
    place = {next.sw, next.port, step.lane_class};
  }
  return std::nullopt;
}

PacketFaults::PacketFaults(const PacketPlatform& platform)
    : MessageRerouting(platform), faults_(platform.graph(), state_, *routing_, events(platform)) {}

void PacketFaults::attach(PacketNetwork& network) {
  network_ = &network;
  faults_.attach(network);
  if (platform_.config().unroutable == Unroutable::discard) network.discard_unroutable();
}

PacketHop PacketFaults::route(SwitchId at, PortId in, const PacketMessage& m) const {
  return platform_.hop(step({at, in, m.lane_class}, m, faults_, *network_), at, in, m);
}

IqFaults::IqFaults(const PacketPlatform& platform)
    : MessageRerouting(platform), faults_(platform.graph(), state_, *routing_, events(platform)) {}

void IqFaults::attach(IqNetwork& network) {
  network_ = &network;
  faults_.attach(network, *this);
}

RouteStep IqFaults::step(const RoutePlace& place, const PacketMessage& message) {
  return MessageRerouting::step(place, message, faults_, *network_);
}

}  // namespace weft
