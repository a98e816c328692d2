#pragma once
// Walks allocated circuits switch by switch: one hop per tree edge and lane, saying which input register
// feeds which output slot. Slot tables and their text forms are built from it.

#include <cstddef>

#include "algorithms/slots/allocation.h"
#include "algorithms/slots/flow.h"

namespace weft {

struct CircuitHop {
  std::size_t flow, tree, edge, lane;
  SwitchId sw;
  PortId in_port;
  Slot in_slot;  ///< slot in which the word was sent on the link that enters the switch
  PortId out_port;
  Slot out_slot;
};

/// Calls visit(CircuitHop) for each edge (but the injection link, which no switch drives) and lane of every
/// tree, in the order flow, tree, edge, lane.
template <class Visit>
void for_each_hop(const Graph& graph, const std::vector<Flow>& flows, const Allocation& allocation, Visit&& visit) {
  for (std::size_t f = 0; f < flows.size(); ++f) {
    for (std::size_t t = 0; t < flows[f].trees.size(); ++t) {
      const CircuitTree& tree = flows[f].trees[t];
      for (std::size_t e = 1; e < tree.edges.size(); ++e) {
        const auto parent = static_cast<std::size_t>(tree.edges[e].parent);
        const FlowSlots& slots = allocation.flows[f];
        const std::vector<Slot>& in = slots.lanes(t, parent);
        const std::vector<Slot>& lanes = slots.lanes(t, e);
        for (std::size_t k = 0; k < lanes.size(); ++k) {
          const LinkId into = slots.link(t, parent, k, tree.edges[parent].link);
          const PortRef out = graph.driver(slots.link(t, e, k, tree.edges[e].link));
          const PortId in_port = graph.is_injection(into)
                                     ? graph.entry(into).port
                                     : graph.peer(graph.driver(into).sw, graph.driver(into).port).port;
          visit(CircuitHop{f, t, e, k, out.sw, in_port, in[k], out.port, lanes[k]});
        }
      }
    }
  }
}

}  // namespace weft
