// Lengths of routes: distances where routes are minimal, whatever messages draw; nothing where lengths differ.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

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
  const Graph trunks = build_topology(topology_config(
      "torus", {{"dims", std::vector<std::uint32_t>{8, 8, 8}}, {"nodes_per_switch", 1U}, {"trunk", 4U}}));
  expect_lengths(trunks, kDimensionOrder, distance);  // 30 million steps when each pair is followed by itself
  const Graph tree = build_topology(topology_config("tree", {{"arity", 3U}, {"levels", 3U}}));
  expect_lengths(tree, kNearestCommonAncestor, distance);
  expect_lengths(tree, kValiant, [&](std::uint32_t) { return 2 * (tree.tree().levels - 1); });
}

Graph ring_of_three() {
  Graph ring("ring");
  for (int s = 0; s < 3; ++s) ring.attach_node({ring.add_switch(3), 0});
  for (SwitchId s = 0; s < 3; ++s) ring.connect({s, 1}, {(s + 1) % 3, 2});
  return ring;
}

// On a ring of three switches messages draw the direction.
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
  const Graph ring = ring_of_three();
  EXPECT_EQ(route_lengths(EitherWay(), ring).places, 0U);
}

// On the same ring, always the same way: to node 0 past its switch for ever, to node 1 from switch 0 nowhere.
class RoundAndRound final : public PacketRouting {
 public:
  explicit RoundAndRound(bool circles) : circles_(circles) {}
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t /*choice*/) const override {
    if (place.at == to && !(circles_ && to == 0)) return {0};
    if (to == 1 && place.at == 0) return {0, 0};
    return {1};
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    visit(step(place, to, 0));
  }
  bool single_path() const override { return true; }

 private:
  bool circles_;
};

TEST(RouteLengths, AreNotKnownInCirclesAndWithoutRoute) {
  const Graph ring = ring_of_three();
  EXPECT_EQ(route_lengths(RoundAndRound(true), ring).places, 0U);
  constexpr std::uint8_t kNone = RouteLengths::kUnknown;
  EXPECT_EQ(route_lengths(RoundAndRound(false), ring).hops,
            (std::vector<std::uint8_t>{0, kNone, 2, 2, 0, 1, 1, kNone, 0}));
}

}  // namespace
}  // namespace weft
