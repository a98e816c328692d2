#include "fabrics/packet/iq/iq_routes.h"

#include <algorithm>

namespace weft {
namespace {

/// Every step of every packet, once per way in which it comes to a switch: visit(place, to, step).
template <class Visit>
void each_step(const PacketRouting& routing, const Graph& graph, Visit&& visit) {
  const std::uint32_t classes = routing.lane_classes();
  std::vector<bool> seen(static_cast<std::size_t>(graph.total_ports()) * classes);
  std::vector<RoutePlace> open;
  for (NodeId to = 0; to < graph.nodes(); ++to) {
    seen.assign(seen.size(), false);
    for (NodeId from = 0; from < graph.nodes(); ++from) {
      const PortRef at = graph.attachment(from);
      open.push_back({at.sw, at.port, 0});
    }
    while (!open.empty()) {
      const RoutePlace place = open.back();
      open.pop_back();
      routing.each_step(place, to, [&](const RouteStep& step) {
        visit(place, to, step);
        for (PortId p = step.first; p < step.first + step.count; ++p) {
          const PortRef next = graph.peer(place.at, p);
          if (next.sw == kNoId) continue;  // arrived
          const std::size_t by = graph.out_link(place.at, p) * classes + step.lane_class;
          if (seen[by]) continue;
          seen[by] = true;
          open.push_back({next.sw, next.port, step.lane_class});
        }
      });
    }
  }
}

}  // namespace

IqRoutes::IqRoutes(const PacketRouting& routing, const Graph& graph)
    : routing_(routing), single_path_(routing.single_path()), nodes_(graph.nodes()) {
  const std::uint64_t entries = static_cast<std::uint64_t>(graph.switches()) * nodes_;
  if (entries > kMostEntries) return;
  table_.resize(entries);
  each_step(routing, graph,
            [&](const RoutePlace& place, NodeId to, const RouteStep& step) { enter(graph, place, to, step); });
}

void IqRoutes::enter(const Graph& graph, const RoutePlace& place, NodeId to, const RouteStep& step) {
  Entry& entry = table_[static_cast<std::size_t>(place.at) * nodes_ + to];
  const std::uint8_t lanes = graph.node_at(place.at, step.first) != kNoId ? kAllLanes : step.lane_class;
  if (entry.count == 0 && step.count < kVaries) {
    entry = {step.first, static_cast<std::uint8_t>(step.count), lanes};
  } else if (entry.first != step.first || entry.count != step.count || entry.lanes != lanes) {
    entry.count = kVaries;
  }
}

std::uint32_t widest_hop(const PacketRouting& routing, const Graph& graph) {
  std::uint32_t most = 1;
  each_step(routing, graph, [&](const RoutePlace&, NodeId, const RouteStep& step) {
    most = std::max<std::uint32_t>(most, step.count);
  });
  return most;
}

}  // namespace weft
