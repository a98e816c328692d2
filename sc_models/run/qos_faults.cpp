#include "run/qos_faults.h"

#include "fabric/packet/packet_network.h"
#include "run/port_ranges.h"

namespace weft {

namespace {

std::vector<LinkEvent> link_events(const QosConfig& config, const Graph& graph) {
  std::vector<LinkEvent> out;
  for (std::uint32_t i = 0; i < config.faults.size(); ++i) {
    const FaultConfig& f = config.faults[i];
    for (const LinkId link : cables_of(f.place, graph)) {
      out.push_back({f.down, link, false, i});
      if (f.up) out.push_back({*f.up, link, true, i});
    }
  }
  return out;
}

}  // namespace

QosFaults::QosFaults(const QosPlatform& platform)
    : platform_(platform),
      state_(platform.graph()),
      routing_(make_faulty_routing(platform.routing(), platform.config().routing.algorithm, platform.graph(), state_)),
      faults_(platform.graph(), state_, *routing_, link_events(platform.config(), platform.graph())) {}

void QosFaults::attach(PacketNetwork& network) {
  network_ = &network;
  faults_.attach(network);
  if (platform_.config().no_way == NoWayChoice::discard) network.discard_without_way();
}

// Follows the way the message would take if everything were up, to the first link that is down. There is one unless the
// message goes its usual way.
std::optional<LinkId> QosFaults::first_down(RoutePlace place, const PacketMessage& m) const {
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

// Without a way a message is discarded, or goes as far as it can on its usual way and waits there.
PacketHop QosFaults::route(SwitchId at, PortId in, const PacketMessage& m) const {
  const RoutePlace place{at, in, m.lane_class};
  const RouteStep step = routing_->step(place, m.destination, m.choice);
  if (state_.all_up()) return platform_.hop(step, at, in, m);
  const PacketHop usual = platform_.route(at, in, m);
  if (step.count > 0) {
    if (step.first != usual.first || step.count != usual.count) {
      if (const auto link = first_down(place, m)) network_->note_reroute(m, faults_.holder(*link));
    }
    return platform_.hop(step, at, in, m);
  }
  PacketHop hop = usual;
  if (platform_.config().no_way == NoWayChoice::discard) {
    hop.count = 0;
    faults_.blame(m.sequence, first_down(place, m).value());
  }
  return hop;
}

}  // namespace weft
