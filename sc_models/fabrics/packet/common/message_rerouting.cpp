#include "fabrics/packet/common/message_rerouting.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "network/routing/routing_algorithms.h"

namespace weft {

MessageRerouting::MessageRerouting(const RerouteParameters& parameters, const PacketRouting& usual, const Graph& graph)
    : parameters_(parameters),
      usual_(usual),
      graph_(graph),
      state_(graph),
      routing_(make_faulty_routing(usual, parameters.routing, graph, state_)) {}

// Of failures that come in one cycle the longest one holds their links down, then the one with the most links, so that
// none is charged of which a note says that it has no effect (fault_notes()).
std::vector<LinkEvent> MessageRerouting::events() const {
  const std::vector<FaultConfig>& faults = parameters_.faults;
  std::vector<std::vector<LinkId>> cables;
  for (const FaultConfig& f : faults) cables.push_back(cables_of(f.place, graph_));
  std::vector<std::uint32_t> order(faults.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto up = [&](std::uint32_t i) { return faults[i].up.value_or(std::numeric_limits<Cycle>::max()); };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return up(a) != up(b) ? up(a) > up(b) : cables[a].size() > cables[b].size();
  });
  std::vector<std::uint32_t> rank(faults.size());
  for (std::uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
  std::vector<LinkEvent> out;
  for (std::uint32_t i = 0; i < faults.size(); ++i) {
    for (const LinkId link : cables[i]) {
      out.push_back({faults[i].down, link, false, i, rank[i]});
      if (faults[i].up) out.push_back({*faults[i].up, link, true, i, rank[i]});
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
