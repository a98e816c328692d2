// Lengths of routes: distances where routes are minimal, whatever messages draw; nothing where lengths differ.

#include <gtest/gtest.h>

#include "network/routing/route_lengths.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/shortest_path.h"
#include "network/routing/tree_packet_routing.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft {
namespace {

PacketRoutingOptions options_of(const RoutingAlgorithm& algorithm) {
  PacketRoutingOptions o;
  o.routing.algorithm = &algorithm;
  o.ring = RingControl::bubble;
  o.ties = RouteTies::random;
  return o;
}

// `hops`: from the distance of two switches.
template <class Hops>
void expect_lengths(const Graph& graph, const RoutingAlgorithm& algorithm, Hops&& hops) {
  const auto routing = make_packet_routing(options_of(algorithm), graph);
  const RouteLengths lengths = route_lengths(*routing, graph);
  ASSERT_GT(lengths.places, 0U) << graph.name();
  for (NodeId to = 0; to < graph.nodes(); ++to) {
    const std::vector<std::uint32_t> distance = distances_to(graph, graph.attachment(to).sw);
    for (NodeId from = 0; from < graph.nodes(); ++from) {
      ASSERT_EQ(lengths.hops[lengths.place[from] * lengths.places + lengths.place[to]],
                hops(distance[graph.attachment(from).sw]))
          << graph.name() << ": " << from << " -> " << to;
    }
  }
}

TEST(RouteLengths, AreDistancesOfMinimalRoutes) {
  const auto distance = [](std::uint32_t d) { return d; };
  for (const char* kind : {"mesh", "torus"}) {
    for (const std::uint32_t trunk : {1U, 2U}) {
      const Graph g = build_topology(topology_config(
          kind, {{"dims", std::vector<std::uint32_t>{4, 3}}, {"nodes_per_switch", 2U}, {"trunk", trunk}}));
      expect_lengths(g, kDimensionOrder, distance);
    }
  }
  const Graph tree = build_topology(topology_config("tree", {{"arity", 3U}, {"levels", 3U}}));
  expect_lengths(tree, kNearestCommonAncestor, distance);
  expect_lengths(tree, kValiant, [&](std::uint32_t) { return 2 * (tree.tree().levels - 1); });
}

// A ring of three switches, on which messages draw the direction.
class EitherWay final : public PacketRouting {
 public:
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    if (place.at == to) return {0};
    return {static_cast<PortId>(place.in == 0 ? 1 + choice % 2 : 3 - place.in)};
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    visit(step(place, to, 0));
    visit(step(place, to, 1));
  }
  bool single_path() const override { return false; }
};

TEST(RouteLengths, AreNotKnownWhereTheyDiffer) {
  Graph ring("ring");
  for (int s = 0; s < 3; ++s) ring.attach_node({ring.add_switch(3), 0});
  for (SwitchId s = 0; s < 3; ++s) ring.connect({s, 1}, {(s + 1) % 3, 2});
  EXPECT_EQ(route_lengths(EitherWay(), ring).places, 0U);
}

}  // namespace
}  // namespace weft
