#pragma once
// Route of a circuit through the switches: a line to one destination, a tree to several.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/slots/flow.h"
#include "base/ids.h"
#include "network/graph.h"

namespace weft {

inline constexpr std::uint32_t kNoHop = ~std::uint32_t{0};

/// One output of a switch that a circuit uses.
struct RouteBranch {
  PortId out = kNoPort;
  std::uint32_t next = kNoHop;  ///< index of the switch behind it; kNoHop: a host
  NodeId host = kNoId;          ///< that host, a destination
  LinkId link = kNoId;          ///< of this output
  bool operator==(const RouteBranch&) const = default;
};

/// One switch of a circuit; it forks where it has several branches.
struct RouteHop {
  SwitchId sw = kNoId;
  PortId in = kNoPort;
  std::uint32_t depth = 0;        ///< switches before it on the way from the source
  std::uint32_t parent = kNoHop;  ///< index of the switch before it
  LinkId link = kNoId;            ///< by which it is entered
  std::vector<RouteBranch> branches;
  bool operator==(const RouteHop&) const = default;
};

/// The first switch is entered from the source's host port; a switch comes after the one before it, and once.
struct CircuitRoute {
  NodeId source = kNoId;
  std::vector<NodeId> destinations;
  std::vector<RouteHop> hops;
  std::uint32_t switches = 0;  ///< on the longest route
  bool operator==(const CircuitRoute&) const = default;

  /// Index in `destinations`; its size when the node is none of them.
  std::size_t index_of(NodeId node) const;
  /// Destinations, by index, that words behind output `out` of switch `sw` are on their way to; none off the route.
  std::vector<std::size_t> behind(SwitchId sw, PortId out) const;
  /// Links between switches on the way to a destination, by index.
  std::uint32_t links_to(std::size_t destination) const;
};

std::shared_ptr<const CircuitRoute> make_circuit_route(const Graph& graph, const CircuitTree& tree);

/// Routes that sources try where nodes may have several links to their switch, each of which is a route of its own: the
/// tries of a flow take those of its source in turn, on the first tree before the others, and those of its destinations
/// with them, shifted by one in every round, unless there are bundles, whose links the last switches choose. The flows
/// that begin at a node, and those that end there, begin with one link after the other.
class RouteTurns {
 public:
  /// `graph` must outlive it.
  explicit RouteTurns(const Graph& graph) : graph_(graph), begun_(graph.nodes()), ended_(graph.nodes()) {}

  /// Of the next flow, in the order in which they are tried: at most `most`, but each link or pair of links once.
  std::vector<std::shared_ptr<const CircuitRoute>> routes(const std::vector<CircuitTree>& trees, std::size_t most);

 private:
  const Graph& graph_;
  std::vector<std::uint32_t> begun_;  // by node: flows so far
  std::vector<std::uint32_t> ended_;
};

}  // namespace weft
