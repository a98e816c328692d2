#include "fabrics/packet/iq/iq_routes.h"

namespace weft {

IqRoutes::IqRoutes(const PacketRouting& routing, const Graph& graph) : routing_(routing), nodes_(graph.nodes()) {
  const std::uint64_t entries = static_cast<std::uint64_t>(graph.switches()) * nodes_;
  if (entries > kMostEntries) return;
  table_.resize(entries);
  const std::uint32_t classes = routing.lane_classes();
  std::vector<bool> seen(static_cast<std::size_t>(graph.total_ports()) * classes);
  std::vector<RoutePlace> open;
  for (NodeId to = 0; to < nodes_; ++to) {
    seen.assign(seen.size(), false);
    for (NodeId from = 0; from < nodes_; ++from) {
      const PortRef at = graph.attachment(from);
      open.push_back({at.sw, at.port, 0});
    }
    while (!open.empty()) {
      const RoutePlace place = open.back();
      open.pop_back();
      follow(graph, place, to, seen, open);
    }
  }
}

// Enters every step from a place, and goes on at the places behind it.
void IqRoutes::follow(const Graph& graph, const RoutePlace& place, NodeId to, std::vector<bool>& seen,
                      std::vector<RoutePlace>& open) {
  Entry& entry = table_[static_cast<std::size_t>(place.at) * nodes_ + to];
  routing_.each_step(place, to, [&](const RouteStep& step) {
    const std::uint8_t lanes = graph.node_at(place.at, step.first) != kNoId ? kAllLanes : step.lane_class;
    if (entry.count == 0 && step.count < kVaries) {
      entry = {step.first, static_cast<std::uint8_t>(step.count), lanes};
    } else if (entry.first != step.first || entry.count != step.count || entry.lanes != lanes) {
      entry.count = kVaries;
    }
    for (PortId p = step.first; p < step.first + step.count; ++p) {
      const PortRef next = graph.peer(place.at, p);
      if (next.sw == kNoId) continue;  // arrived
      const std::size_t by = graph.out_link(place.at, p) * routing_.lane_classes() + step.lane_class;
      if (seen[by]) continue;
      seen[by] = true;
      open.push_back({next.sw, next.port, step.lane_class});
    }
  });
}

}  // namespace weft
