#pragma once
// Deterministic routes between end nodes.

#include <memory>
#include <vector>

#include "base/diagnostics.h"
#include "config/config.h"
#include "topology/graph.h"

namespace weft {

/// Chooses the output port for a destination at each switch.
class Routing {
 public:
  virtual ~Routing() = default;
  /// Output port at `at` towards node `to`; the node's own port when `to` is attached to `at`.
  virtual PortId next(SwitchId at, NodeId to) const = 0;
};

/// Throws InputError when the algorithm does not fit the network (dimension order without a grid, an order
/// that is not a permutation of the dimensions).
std::unique_ptr<Routing> make_routing(const RoutingConfig& config, const Graph& graph);

/// Directed links from the injection link of `from` to the ejection link at `to`, both included.
/// `from` == `to` is a precondition violation. Throws RunError if the routing loops.
std::vector<LinkId> route(const Graph& graph, const Routing& routing, NodeId from, NodeId to);

}  // namespace weft
