// Packet routing step by step: every route arrives, in as few hops as there are, by the right ports and with the right
// marks; the deadlock check against a search for cycles by brute force.

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "base/diagnostics.h"
#include "base/random.h"
#include "network/routing/deadlock_check.h"
#include "network/routing/packet_routing.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/routing_config.h"
#include "network/routing/tree_packet_routing.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

constexpr std::uint32_t kFar = 1'000'000;

std::vector<std::uint32_t> distances(const Graph& g, SwitchId from) {
  std::vector<std::uint32_t> d(g.switches(), kFar);
  std::queue<SwitchId> open;
  d[from] = 0;
  for (open.push(from); !open.empty(); open.pop()) {
    const SwitchId s = open.front();
    for (PortId p = 0; p < g.ports(s); ++p) {
      const SwitchId t = g.peer(s, p).sw;
      if (t == kNoId || d[t] != kFar) continue;
      d[t] = d[s] + 1;
      open.push(t);
    }
  }
  return d;
}

struct Hop {
  SwitchId at;
  PortId in;
  RouteStep step;
};

// All hops of a message, the last one to its node; at each trunk it takes the port `member` (modulo their number).
std::vector<Hop> walk(const PacketRouting& routing, const Graph& g, NodeId from, NodeId to, std::uint32_t choice,
                      std::uint32_t member) {
  std::vector<Hop> out;
  RoutePlace place{g.attachment(from).sw, g.attachment(from).port, 0};
  while (out.size() <= 2 * g.switches()) {
    const RouteStep step = routing.step(place, to, choice);
    out.push_back({place.at, place.in, step});
    EXPECT_GE(step.count, 1);
    EXPECT_LT(step.lane_class, routing.lane_classes());
    // Whatever port of the trunk it takes, it comes to the same switch.
    std::set<SwitchId> peers;
    for (std::uint32_t i = 0; i < step.count; ++i)
      peers.insert(g.peer(place.at, static_cast<PortId>(step.first + i)).sw);
    EXPECT_EQ(peers.size(), 1U);
    bool listed = false;
    routing.each_step(place, to, [&](const RouteStep& s) {
      listed =
          listed || (s.first == step.first && s.lane_class == step.lane_class && s.enters_ring == step.enters_ring);
    });
    EXPECT_TRUE(listed);
    const auto port = static_cast<PortId>(step.first + member % step.count);
    if (g.node_at(place.at, port) != kNoId) {
      EXPECT_EQ(g.node_at(place.at, port), to);
      return out;
    }
    const PortRef peer = g.peer(place.at, port);
    EXPECT_NE(peer.sw, kNoId) << "a free port";
    if (peer.sw == kNoId) break;
    place = {peer.sw, peer.port, step.lane_class};
  }
  ADD_FAILURE() << from << " -> " << to << " does not arrive";
  return out;
}

TopologyConfig grid(const std::string& kind, std::vector<std::uint32_t> dims, std::uint32_t nodes,
                    std::uint32_t trunk) {
  TopologyConfig t = topology_config(kind, {{"dims", std::move(dims)}, {"nodes_per_switch", nodes}, {"trunk", trunk}});
  return t;
}

TopologyConfig tree(std::uint32_t arity, std::uint32_t levels) {
  TopologyConfig t = topology_config("tree", {{"arity", arity}, {"levels", levels}});
  return t;
}

PacketRoutingOptions options(const RoutingAlgorithm* algorithm, RingControl ring = RingControl::bubble,
                             bool random_ties = true) {
  PacketRoutingOptions o;
  o.routing.algorithm = algorithm;
  o.ring = ring;
  o.ties = random_ties ? RouteTies::random : RouteTies::plus;
  return o;
}

const std::vector<std::uint32_t> kChoices{0, 1, 2, 3, 5, 0x80000001U, ~std::uint32_t{0}};

struct GridCase {
  TopologyConfig topology;
  RingControl ring;
};

std::vector<GridCase> grid_cases() {
  std::vector<GridCase> out;
  for (const RingControl ring : {RingControl::bubble, RingControl::dateline, RingControl::none}) {
    for (const char* kind : {"mesh", "torus"}) {
      out.push_back({grid(kind, {5}, 1, 1), ring});
      out.push_back({grid(kind, {4, 3}, 2, 1), ring});
      out.push_back({grid(kind, {2, 4}, 1, 3), ring});
      out.push_back({grid(kind, {3, 2, 4}, 1, 2), ring});
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
    const Graph g = build_topology(grid(kind, {200, 190}, 1, 1));
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
  const Graph g = build_topology(grid("mesh", {3, 3}, 1, 1));
  auto o = options(&kDimensionOrder);
  o.routing.order = {1, 0};
  const auto hops = walk(*make_packet_routing(o, g), g, 0, 8, 0, 0);
  std::vector<SwitchId> way;
  for (const Hop& h : hops) way.push_back(h.at);
  EXPECT_EQ(way, (std::vector<SwitchId>{0, 3, 6, 7, 8}));
}

TEST(TreePacketRouting, UpAndDownWithEveryRootReached) {
  for (const TopologyConfig& t : {tree(2, 1), tree(3, 2), tree(2, 3), tree(3, 3), tree(2, 4)}) {
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
  const TopologyConfig t = tree(4, 3);
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
  const Graph mesh = build_topology(grid("mesh", {3, 3}, 1, 1));
  const Graph a_tree = build_topology(tree(2, 2));
  EXPECT_THROW(make_packet_routing(options(&kValiant), mesh), InputError);
  EXPECT_THROW(make_packet_routing(options(&kNearestCommonAncestor), mesh), InputError);
  EXPECT_THROW(make_packet_routing(options(&kDimensionOrder), a_tree), InputError);
}

// --- Deadlock: a random single-path routing on a random graph, and the cycles of its dependencies by brute force. ---

struct TableRouting final : PacketRouting {
  std::vector<std::vector<PortId>> next;  // [switch][node]
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t) const override { return {next[place.at][to]}; }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    visit(step(place, to, 0));
  }
  bool single_path() const override { return true; }
};

Graph random_graph(RandomStream& random) {
  const auto switches = static_cast<std::uint32_t>(2 + random.below(7));
  Graph g("random");
  std::vector<PortId> used(switches, 1);
  for (SwitchId s = 0; s < switches; ++s) g.add_switch(static_cast<PortId>(switches + 6));
  for (SwitchId s = 0; s < switches; ++s) g.attach_node({s, 0});
  const auto connect = [&](SwitchId a, SwitchId b) { g.connect({a, used[a]++}, {b, used[b]++}); };
  const bool ring = random.below(2) == 0;
  for (SwitchId s = 1; s < switches; ++s) connect(s, ring ? s - 1 : static_cast<SwitchId>(random.below(s)));
  if (ring) connect(0, switches - 1);
  for (std::uint64_t n = random.below(4); n > 0; --n) {
    const auto a = static_cast<SwitchId>(random.below(switches));
    const auto b = static_cast<SwitchId>(random.below(switches));
    if (a != b) connect(a, b);
  }
  return g;
}

// Shortest ways, with any of the ports that lead nearer.
TableRouting random_routing(const Graph& g, RandomStream& random) {
  TableRouting out;
  out.next.assign(g.switches(), std::vector<PortId>(g.nodes()));
  for (NodeId to = 0; to < g.nodes(); ++to) {
    const auto distance = distances(g, g.attachment(to).sw);
    for (SwitchId s = 0; s < g.switches(); ++s) {
      std::vector<PortId> nearer;
      for (PortId p = 0; p < g.ports(s); ++p) {
        const SwitchId t = g.peer(s, p).sw;
        if (t != kNoId && distance[t] < distance[s]) nearer.push_back(p);
      }
      out.next[s][to] = nearer.empty() ? g.attachment(to).port : nearer[random.below(nearer.size())];
    }
  }
  return out;
}

bool cyclic(const std::map<LinkId, std::set<LinkId>>& edges) {
  // Transitive closure: a cycle is a link that reaches itself.
  auto reach = edges;
  for (bool grown = true; grown;) {
    grown = false;
    for (auto& [from, set] : reach) {
      const std::set<LinkId> before = set;
      for (const LinkId mid : before) {
        const auto found = reach.find(mid);
        if (found == reach.end()) continue;
        for (const LinkId far : std::set<LinkId>(found->second)) grown = set.insert(far).second || grown;
      }
    }
  }
  return std::any_of(reach.begin(), reach.end(), [](const auto& r) { return r.second.contains(r.first); });
}

TEST(FindDeadlock, AgreesWithBruteForceOnRandomGraphs) {
  RandomStream random(3, "deadlock");
  int with = 0;
  for (int i = 0; i < 400; ++i) {
    const Graph g = random_graph(random);
    const TableRouting routing = random_routing(g, random);
    std::map<LinkId, std::set<LinkId>> edges;
    for (NodeId from = 0; from < g.nodes(); ++from) {
      for (NodeId to = 0; to < g.nodes(); ++to) {
        const auto hops = walk(routing, g, from, to, 0, 0);
        for (std::size_t h = 0; h + 2 < hops.size(); ++h) {
          edges[g.out_link(hops[h].at, hops[h].step.first)].insert(g.out_link(hops[h + 1].at, hops[h + 1].step.first));
        }
      }
    }
    const std::string found = search_deadlock(routing, g);
    ASSERT_EQ(!found.empty(), cyclic(edges)) << "graph " << i << ": " << found;
    with += found.empty() ? 0 : 1;
  }
  EXPECT_GT(with, 20);
  EXPECT_LT(with, 380);
}

TEST(FindDeadlock, RingsNeedARule) {
  const auto check = [](const TopologyConfig& t, RingControl ring) {
    const Graph g = build_topology(t);
    return search_deadlock(*make_packet_routing(options(&kDimensionOrder, ring), g), g);
  };
  for (const std::vector<std::uint32_t>& dims : {std::vector<std::uint32_t>{4}, {5, 2}, {3, 4, 4}}) {
    EXPECT_EQ(check(grid("torus", dims, 1, 2), RingControl::bubble), "");
    EXPECT_EQ(check(grid("torus", dims, 2, 1), RingControl::dateline), "");
    EXPECT_NE(check(grid("torus", dims, 1, 1), RingControl::none), "");
    EXPECT_EQ(check(grid("mesh", dims, 1, 1), RingControl::none), "");
  }
  // One hop at most in each direction: nothing can wait in a circle.
  EXPECT_EQ(check(grid("torus", {3, 3}, 1, 1), RingControl::none), "");
  EXPECT_EQ(check(grid("torus", {4}, 1, 1), RingControl::none),
            "sw[0].port1 -> sw[1], sw[1].port1 -> sw[2], sw[2].port1 -> sw[3], sw[3].port1 -> sw[0]");
}

// What is said of a form, for all sizes, is true of the small ones; and rings without a rule are not said to be free.
TEST(FindDeadlock, FormsAreWhatTheSearchSays) {
  std::vector<std::vector<std::uint32_t>> sizes;
  for (std::uint32_t a = 2; a <= 9; ++a) sizes.push_back({a});
  for (std::uint32_t a = 2; a <= 6; ++a) {
    for (std::uint32_t b = 2; b <= 6; ++b) sizes.push_back({a, b});
  }
  for (std::uint32_t i = 0; i < 27; ++i) sizes.push_back({2 + i % 3, 3 + i / 3 % 3, 2 + i / 9});
  sizes.push_back({3, 2, 4, 2});
  int circles = 0;
  for (const auto& dims : sizes) {
    for (const char* kind : {"mesh", "torus"}) {
      const Graph g = build_topology(grid(kind, dims, 1, 1 + dims.front() % 2));
      for (const RingControl ring : {RingControl::bubble, RingControl::dateline, RingControl::none}) {
        for (const bool random_ties : {false, true}) {
          for (const bool reversed : {false, true}) {
            auto o = options(&kDimensionOrder, ring, random_ties);
            for (std::uint32_t d = 0; reversed && d < dims.size(); ++d) {
              o.routing.order.push_back(static_cast<std::uint32_t>(dims.size()) - 1 - d);
            }
            const auto routing = make_packet_routing(o, g);
            const std::string found = search_deadlock(*routing, g);
            circles += found.empty() ? 0 : 1;
            if (routing->acyclic_by_form()) {
              EXPECT_EQ(found, "") << g.name();
            }
            EXPECT_EQ(routing->acyclic_by_form(), std::string(kind) == "mesh" || ring != RingControl::none);
            EXPECT_EQ(find_deadlock(*routing, g), found);
          }
        }
      }
    }
  }
  EXPECT_GT(circles, 100);
  for (std::uint32_t arity = 2; arity <= 4; ++arity) {
    for (std::uint32_t levels = 1; levels <= 3; ++levels) {
      for (const auto algorithm : {&kValiant, &kNearestCommonAncestor}) {
        const Graph g = build_topology(tree(arity, levels));
        const auto routing = make_packet_routing(options(algorithm), g);
        EXPECT_TRUE(routing->acyclic_by_form());
        EXPECT_EQ(search_deadlock(*routing, g), "") << g.name();
      }
    }
  }
}

TEST(FindDeadlock, TreesAreFree) {
  for (const auto algorithm : {&kValiant, &kNearestCommonAncestor}) {
    const Graph g = build_topology(tree(3, 3));
    EXPECT_EQ(search_deadlock(*make_packet_routing(options(algorithm), g), g), "");
  }
}

}  // namespace
}  // namespace weft
