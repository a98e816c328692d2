// Packet routing step by step: every route arrives, in as few hops as there are, by the right ports and with the right
// marks.

#include <algorithm>

#include "base/diagnostics.h"
#include "base/random.h"
#include "network/routing/deadlock_check.h"
#include "network/routing/packet_routing.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/routing_config.h"
#include "network/routing/tree_packet_routing.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "unit/network/route_walk.h"

namespace weft {
namespace {

const std::vector<std::uint32_t> kChoices{0, 1, 2, 3, 5, 0x80000001U, ~std::uint32_t{0}};

struct GridCase {
  TopologyConfig topology;
  RingControl ring;
};

std::vector<GridCase> grid_cases() {
  std::vector<GridCase> out;
  for (const RingControl ring : {RingControl::bubble, RingControl::dateline, RingControl::none}) {
    for (const char* kind : {"mesh", "torus"}) {
      out.push_back({packet_grid(kind, {5}, 1, 1), ring});
      out.push_back({packet_grid(kind, {4, 3}, 2, 1), ring});
      out.push_back({packet_grid(kind, {2, 4}, 1, 3), ring});
      out.push_back({packet_grid(kind, {3, 2, 4}, 1, 2), ring});
    }
  }
  return out;
}

// Coordinates by the graph's definition: x first.
std::uint32_t coordinate(const GridShape& shape, SwitchId s, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) s /= shape.dims[i];
  return s % shape.dims[d];
}

void check_marks(const Graph& g, const GridCase& c, const std::vector<Hop>& hops) {
  const GridShape& shape = g.grid();
  int last_dimension = -1;
  std::uint8_t expected_class = 0;
  for (std::size_t i = 0; i + 1 < hops.size(); ++i) {
    const Hop& h = hops[i];
    const SwitchId next = g.peer(h.at, h.step.first).sw;
    int dimension = -1;
    for (std::size_t d = 0; d < shape.dims.size(); ++d) {
      if (coordinate(shape, h.at, d) == coordinate(shape, next, d)) continue;
      EXPECT_EQ(dimension, -1) << "one dimension per hop";
      dimension = static_cast<int>(d);
    }
    ASSERT_GE(dimension, last_dimension) << "dimensions in order";
    const bool first_of_ring = dimension != last_dimension;
    const auto from = coordinate(shape, h.at, static_cast<std::size_t>(dimension));
    const auto to = coordinate(shape, next, static_cast<std::size_t>(dimension));
    const std::uint32_t size = shape.dims[static_cast<std::size_t>(dimension)];
    const bool plus = h.step.first == shape.plus(static_cast<std::size_t>(dimension));
    EXPECT_EQ(to, plus ? (from + 1) % size : (from + size - 1) % size);
    EXPECT_EQ(h.step.count, shape.trunk);
    const bool bubble = shape.torus && c.ring == RingControl::bubble;
    EXPECT_EQ(h.step.bubble_ring, bubble);
    EXPECT_EQ(h.step.enters_ring, bubble && first_of_ring);
    if (first_of_ring) expected_class = 0;
    const bool wraps = plus ? to < from : to > from;
    if (shape.torus && c.ring == RingControl::dateline && wraps) expected_class = 1;
    EXPECT_EQ(h.step.lane_class, expected_class);
    last_dimension = dimension;
  }
  EXPECT_EQ(hops.back().step.count, 1);
  EXPECT_FALSE(hops.back().step.enters_ring);
}

TEST(GridPacketRouting, EveryRouteIsMinimalInOrderAndMarked) {
  for (const GridCase& c : grid_cases()) {
    const Graph g = build_topology(c.topology);
    SCOPED_TRACE(fmt::format("{}, ring rule {}", g.name(), static_cast<int>(c.ring)));
    for (const bool ties : {true, false}) {
      const auto routing = make_packet_routing(options(&kDimensionOrder, c.ring, ties), g);
      EXPECT_EQ(routing->lane_classes(), g.grid().torus && c.ring == RingControl::dateline ? 2U : 1U);
      for (NodeId from = 0; from < g.nodes(); ++from) {
        const auto distance = distances(g, g.attachment(from).sw);
        for (NodeId to = 0; to < g.nodes(); ++to) {
          std::set<std::vector<SwitchId>> ways;
          for (const std::uint32_t choice : kChoices) {
            for (std::uint32_t member = 0; member < g.grid().trunk; ++member) {
              const auto hops = walk(*routing, g, from, to, choice, member);
              ASSERT_EQ(hops.size(), distance[g.attachment(to).sw] + 1) << from << " -> " << to;
              check_marks(g, c, hops);
              std::vector<SwitchId> way;
              for (const Hop& h : hops) way.push_back(h.at);
              ways.insert(way);
            }
          }
          if (!ties || routing->single_path()) {
            EXPECT_EQ(ways.size(), 1U);
          }
          // Both ways round when both are equally long.
          std::uint32_t tied = 0;
          const SwitchId a = g.attachment(from).sw;
          const SwitchId b = g.attachment(to).sw;
          for (std::size_t d = 0; d < g.grid().dims.size(); ++d) {
            const std::uint32_t size = g.grid().dims[d];
            const std::uint32_t ahead = (coordinate(g.grid(), b, d) + size - coordinate(g.grid(), a, d)) % size;
            if (g.grid().torus && size > 2 && 2 * ahead == size) ++tied;
          }
          if (ties) {
            EXPECT_EQ(ways.size(), std::size_t{1} << tied);
          }
        }
      }
    }
  }
}

TEST(GridPacketRouting, GridsTooLargeForATableOfWays) {
  for (const char* kind : {"mesh", "torus"}) {
    const Graph g = build_topology(packet_grid(kind, {200, 190}, 1, 1));
    SCOPED_TRACE(g.name());
    const auto routing = make_packet_routing(options(&kDimensionOrder), g);
    RandomStream random(1, "ways");
    for (int i = 0; i < 100; ++i) {
      const auto from = static_cast<NodeId>(random.below(g.nodes()));
      const auto to = static_cast<NodeId>(random.below(g.nodes()));
      std::size_t distance = 0;
      for (std::size_t d = 0; d < 2; ++d) {
        const std::uint32_t a = coordinate(g.grid(), from, d);
        const std::uint32_t b = coordinate(g.grid(), to, d);
        const std::uint32_t straight = a < b ? b - a : a - b;
        distance += !g.grid().torus ? straight : std::min(straight, g.grid().dims[d] - straight);
      }
      ASSERT_EQ(walk(*routing, g, from, to, static_cast<std::uint32_t>(random()), 0).size(), distance + 1);
    }
  }
}

TEST(GridPacketRouting, OrderOfDimensionsIsThatOfTheConfiguration) {
  const Graph g = build_topology(packet_grid("mesh", {3, 3}, 1, 1));
  auto o = options(&kDimensionOrder);
  o.routing.order = {1, 0};
  const auto hops = walk(*make_packet_routing(o, g), g, 0, 8, 0, 0);
  std::vector<SwitchId> way;
  for (const Hop& h : hops) way.push_back(h.at);
  EXPECT_EQ(way, (std::vector<SwitchId>{0, 3, 6, 7, 8}));
}

TEST(TreePacketRouting, UpAndDownWithEveryRootReached) {
  for (const TopologyConfig& t :
       {packet_tree(2, 1), packet_tree(3, 2), packet_tree(2, 3), packet_tree(3, 3), packet_tree(2, 4)}) {
    const Graph g = build_topology(t);
    SCOPED_TRACE(g.name());
    const std::uint32_t per_level = g.switches() / g.tree().levels;
    for (const bool valiant : {true, false}) {
      const auto routing = make_packet_routing(options(valiant ? &kValiant : &kNearestCommonAncestor), g);
      for (NodeId from = 0; from < g.nodes(); ++from) {
        const auto distance = distances(g, g.attachment(from).sw);
        for (NodeId to = 0; to < g.nodes(); ++to) {
          const std::uint32_t minimal = distance[g.attachment(to).sw] + 1;
          std::set<SwitchId> tops;
          // As many choices as there are roots reach each of them once.
          for (std::uint32_t choice = 0; choice < per_level; ++choice) {
            const auto hops = walk(*routing, g, from, to, choice, 0);
            ASSERT_EQ(hops.size(), valiant ? 2 * g.tree().levels - 1 : minimal) << from << " -> " << to;
            for (std::size_t i = 0; i < hops.size(); ++i) {
              EXPECT_EQ(hops[i].at / per_level, std::min(i, hops.size() - 1 - i)) << "up, then down";
            }
            tops.insert(hops[hops.size() / 2].at);
          }
          std::uint32_t roots = 1;
          for (std::uint32_t i = 0; i < (valiant ? g.tree().levels : (minimal + 1) / 2) - 1; ++i)
            roots *= g.tree().arity;
          EXPECT_EQ(tops.size(), roots) << from << " -> " << to;
        }
      }
    }
  }
}

TEST(PacketRouting, ChoiceDrawsRootsEvenly) {
  const TopologyConfig t = packet_tree(4, 3);
  const Graph g = build_topology(t);
  const auto routing = make_packet_routing(options(&kValiant), g);
  RandomStream random(5, "roots");
  std::map<SwitchId, int> hits;
  constexpr int kDraws = 16'000;
  for (int i = 0; i < kDraws; ++i)
    ++hits[walk(*routing, g, 0, 63, static_cast<std::uint32_t>(random() >> 32), 0)[2].at];
  ASSERT_EQ(hits.size(), 16U);
  double chi2 = 0;
  for (const auto& [root, n] : hits) chi2 += (n - kDraws / 16.0) * (n - kDraws / 16.0) / (kDraws / 16.0);
  EXPECT_LT(chi2, 37.7);  // 15 degrees of freedom, 0.1 %
}

TEST(PacketRouting, AlgorithmsRefuseNetworksTheyDoNotFit) {
  const Graph mesh = build_topology(packet_grid("mesh", {3, 3}, 1, 1));
  const Graph a_tree = build_topology(packet_tree(2, 2));
  EXPECT_THROW(make_packet_routing(options(&kValiant), mesh), InputError);
  EXPECT_THROW(make_packet_routing(options(&kNearestCommonAncestor), mesh), InputError);
  EXPECT_THROW(make_packet_routing(options(&kDimensionOrder), a_tree), InputError);
}

}  // namespace
}  // namespace weft
