#pragma once
// Deterministic routes between end nodes.

#include <vector>

#include "base/diagnostics.h"
#include "network/graph.h"

namespace weft {

/// Chooses the output port for a destination at each switch.
class CircuitRouting {
 public:
  virtual ~CircuitRouting() = default;
  /// Output port at `at` towards node `to`; the node's own port when `to` is attached to `at`.
  virtual PortId next(SwitchId at, NodeId to) const = 0;

  /// An output port and for how many switches in a row the route takes it, at least 1.
  struct Straight {
    PortId port = kNoPort;
    std::uint32_t hops = 1;
  };
  virtual Straight straight(SwitchId at, NodeId to) const { return {next(at, to), 1}; }

  /// Estimate of the processor time until the first route to a destination is known.
  virtual double seconds_per_destination() const { return 0; }
};

/// Throws RunError: a route loops or ends at a free port.
[[noreturn]] void throw_lost_route(NodeId from, NodeId to);

/// Visits the directed links from the injection link of `from` to the ejection link at `to`, both included.
/// `from` == `to` is a precondition violation. Throws RunError if the routing loops.
template <class Visit>
void visit_route(const Graph& graph, const CircuitRouting& routing, NodeId from, NodeId to, Visit&& visit) {
  visit(graph.injection_link(from));
  SwitchId at = graph.attachment(from).sw;
  const SwitchId goal = graph.attachment(to).sw;
  // A loop-free route enters every switch at most once.
  for (std::uint32_t hops = 0; hops < graph.switches() && at != kNoId;) {
    const auto [port, count] = routing.straight(at, to);
    if (port >= graph.ports(at)) break;
    for (std::uint32_t i = 0; i < count && at != kNoId; ++i, ++hops) {
      visit(graph.out_link(at, port));
      if (at == goal && graph.node_at(at, port) == to) return;
      at = graph.peer(at, port).sw;
    }
  }
  throw_lost_route(from, to);
}

/// The links that visit_route visits.
std::vector<LinkId> route(const Graph& graph, const CircuitRouting& routing, NodeId from, NodeId to);

}  // namespace weft
