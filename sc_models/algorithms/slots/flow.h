#pragma once
// Flows and the circuits (multicast trees) they need, independent of which slots they get.
//
// A flow is a set of source/destination pairs that use the same slots (FiC paper, section III.D, Fig. 8). The
// pairs of one source form one circuit: a tree of directed links from the injection link of the source to the
// ejection links of its destinations. Two circuits of one flow must not share a link, since they would share
// a slot on it. In a network with bundles (network/graph.h) an edge names the first link of its bundle; the links
// themselves are chosen with the slots.

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/ids.h"
#include "network/graph.h"
#include "network/routing/routing.h"
#include "network/routing/routing_config.h"

namespace weft {

/// Edge 0 of a tree is the injection link (parent -1); parents come before their children.
struct TreeEdge {
  LinkId link = kNoId;
  std::int32_t parent = -1;
  bool operator==(const TreeEdge&) const = default;
};

struct CircuitTree {
  NodeId source = kNoId;
  std::vector<NodeId> destinations;  ///< in the order given
  std::vector<TreeEdge> edges;
  std::vector<std::uint32_t> ejection_edge;  ///< per destination: index of its ejection edge
};

struct Flow {
  std::string name;
  std::string job;
  Location where;
  std::uint32_t slots = 1;  ///< m
  std::vector<CircuitTree> trees;
};

/// Tree of the routes from `source` to each destination. Routes that part and meet again are joined at the
/// last switch of the new route that is already in the tree, so the result is always a tree.
CircuitTree make_tree(const Graph& graph, const CircuitRouting& routing, NodeId source,
                      const std::vector<NodeId>& destinations);

/// The tree of make_tree first, then others in which the route to each destination is as long as in it, at most `most`
/// in all and each once: the n-th is joined from the n-th of minimal_routes() to each destination, the last where it
/// has fewer.
std::vector<CircuitTree> minimal_trees(const Graph& graph, const CircuitRouting& routing,
                                       const RoutingAlgorithm& algorithm, NodeId source,
                                       const std::vector<NodeId>& destinations, std::size_t most);

using NodePairs = std::vector<std::pair<NodeId, NodeId>>;
/// Locations of the source and the destination of each pair of a flow; without any: that of the flow.
using PairPlaces = std::vector<std::pair<Location, Location>>;

/// A flow as messages name it: "flow 'a' (3 -> 12)", "... (5 -> 0 1 2)", "... (1 -> 2, 3 -> 4)", cut short when long.
std::string flow_text(const std::string& name, const NodePairs& pairs);
std::string flow_text(const Flow& flow);

/// Reports unknown nodes, a node that sends to itself and a pair named twice; returns the pairs with nothing wrong.
NodePairs check_pairs(const Graph& graph, const std::string& name, const NodePairs& pairs, const PairPlaces& places,
                      const Location& where, Diagnostics& diagnostics);

/// Groups pairs by source and builds the trees. Reports, besides what check_pairs() does, at `where`: two circuits of
/// the flow sharing a link (with the link and both pairs named).
Flow make_flow(const Graph& graph, const CircuitRouting& routing, std::string name, std::string job,
               std::uint32_t slots, const NodePairs& pairs, const Location& where, Diagnostics& diagnostics,
               const PairPlaces& places = {});

/// Slots asked for on each directed link (sum of m over the flows that use it); those of a bundle are shared out
/// evenly, the first links getting what is left over.
std::vector<std::uint32_t> link_loads(const Graph& graph, const std::vector<Flow>& flows);

struct MinimumSlots {
  /// N: largest load of any directed link, host links included; of bundles load / links, or what a circuit asks for
  std::uint32_t slots = 0;
  LinkId link = kNoId;  ///< that needs them: the first with this load, or one of that circuit
};
/// Minimum number of slots a set of circuits needs (FiC paper, section III.E); a lower bound for any
/// allocation.
MinimumSlots minimum_slots(const Graph& graph, const std::vector<Flow>& flows);

/// Loads of the directed links when each pair is a circuit of one slot: link_loads of those flows, without building
/// them. One object serves many sets of pairs on one network.
class PairLoads {
 public:
  /// Keeps references to both.
  PairLoads(const Graph& graph, const CircuitRouting& routing)
      : graph_(graph), routing_(routing), loads_(graph.link_count()) {}
  /// The minimum number of slots of the pairs.
  std::uint32_t largest(const std::vector<std::pair<NodeId, NodeId>>& pairs);

 private:
  const Graph& graph_;
  const CircuitRouting& routing_;
  std::vector<std::uint32_t> loads_;
};

}  // namespace weft
