#include "fabrics/packet/common/message_rerouting.h"

#include "network/routing/routing_algorithms.h"

namespace weft {

MessageRerouting::MessageRerouting(const RerouteParameters& parameters, const PacketRouting& usual, const Graph& graph)
    : parameters_(parameters),
      usual_(usual),
      graph_(graph),
      state_(graph),
      routing_(make_faulty_routing(usual, parameters.routing, graph, state_)) {}

std::vector<LinkEvent> MessageRerouting::events() const {
  std::vector<LinkEvent> out;
  const std::vector<FaultConfig>& faults = parameters_.faults;
  for (std::uint32_t i = 0; i < faults.size(); ++i) {
    for (const LinkId link : cables_of(faults[i].place, graph_)) {
      out.push_back({faults[i].down, link, false, i});
      if (faults[i].up) out.push_back({*faults[i].up, link, true, i});
    }
  }
  return out;
}

// Follows the route the message would take if everything were up, to the first link that is down. There is one unless
// the message takes its usual route.
std::optional<LinkId> MessageRerouting::first_down(RoutePlace place, const PacketMessage& m) const {
  for (SwitchId n = 0; n < graph_.switches(); ++n) {
    const RouteStep step = usual_.step(place, m.destination, m.choice);
    PortId port = step.first;
    while (port < step.first + step.count && !state_.up(place.at, port)) ++port;
    if (port == step.first + step.count) return graph_.out_link(place.at, step.first);
    if (graph_.node_at(place.at, port) != kNoId) break;
    const PortRef next = graph_.peer(place.at, port);
    place = {next.sw, next.port, step.lane_class};
  }
  return std::nullopt;
}

}  // namespace weft
