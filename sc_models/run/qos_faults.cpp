#include "run/qos_faults.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "fabric/packet/packet_network.h"
#include "run/port_ranges.h"

namespace weft {

std::vector<LinkEvent> link_events(const QosConfig& config, const Graph& graph) {
  std::vector<LinkEvent> out;
  Diagnostics diagnostics;
  for (const PacketFaultConfig& f : config.faults) {
    if (const std::string problem = range_problem(f.place, graph); !problem.empty()) {
      diagnostics.error(f.place.where, "faults: " + problem);
      continue;
    }
    const auto add = [&](LinkId link) {
      out.push_back({f.down, link, false});
      if (f.up) out.push_back({*f.up, link, true});
    };
    if (f.place.nic) {
      add(graph.injection_link(f.place.first));
    } else if (f.place.port) {
      add(graph.out_link(f.place.first, static_cast<PortId>(*f.place.port)));
    } else {
      for (PortId p = 0; p < graph.ports(f.place.first); ++p) {
        if (!graph.is_free({f.place.first, p})) add(graph.out_link(f.place.first, p));
      }
    }
  }
  diagnostics.throw_if_errors();
  return out;
}

QosFaults::QosFaults(const QosPlatform& platform)
    : platform_(platform),
      state_(platform.graph()),
      routing_(make_faulty_routing(platform.routing(), platform.config().routing.algorithm, platform.graph(), state_)),
      faults_(platform.graph(), state_, *routing_, link_events(platform.config(), platform.graph())) {}

void QosFaults::attach(PacketNetwork& network) {
  faults_.attach(network);
  if (platform_.config().no_way == NoWayChoice::discard) network.discard_without_way();
}

// Without a way a message is discarded, or goes as far as it can on its usual way and waits there.
PacketHop QosFaults::route(SwitchId at, PortId in, const PacketMessage& m) const {
  const RouteStep step = routing_->step({at, in, m.lane_class}, m.destination, m.choice);
  if (step.count > 0) return platform_.hop(step, at, in, m);
  PacketHop hop = platform_.route(at, in, m);
  if (platform_.config().no_way == NoWayChoice::discard) hop.count = 0;
  return hop;
}

}  // namespace weft
