// The deadlock check against a search for cycles by brute force, on random single-path routings of random graphs, and
// what is said of whole forms of networks against that search.

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/random.h"
#include "network/routing/deadlock_check.h"
#include "network/routing/tree_packet_routing.h"
#include "network/topology/build_topology.h"
#include "unit/network/route_walk.h"

namespace weft {
namespace {

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
    EXPECT_EQ(check(packet_grid("torus", dims, 1, 2), RingControl::bubble), "");
    EXPECT_EQ(check(packet_grid("torus", dims, 2, 1), RingControl::dateline), "");
    EXPECT_NE(check(packet_grid("torus", dims, 1, 1), RingControl::none), "");
    EXPECT_EQ(check(packet_grid("mesh", dims, 1, 1), RingControl::none), "");
  }
  // One hop at most in each direction: nothing can wait in a cycle.
  EXPECT_EQ(check(packet_grid("torus", {3, 3}, 1, 1), RingControl::none), "");
  EXPECT_EQ(check(packet_grid("torus", {4}, 1, 1), RingControl::none),
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
      const Graph g = build_topology(packet_grid(kind, dims, 1, 1 + dims.front() % 2));
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
        const Graph g = build_topology(packet_tree(arity, levels));
        const auto routing = make_packet_routing(options(algorithm), g);
        EXPECT_TRUE(routing->acyclic_by_form());
        EXPECT_EQ(search_deadlock(*routing, g), "") << g.name();
      }
    }
  }
}

TEST(FindDeadlock, TreesAreFree) {
  for (const auto algorithm : {&kValiant, &kNearestCommonAncestor}) {
    const Graph g = build_topology(packet_tree(3, 3));
    EXPECT_EQ(search_deadlock(*make_packet_routing(options(algorithm), g), g), "");
  }
}

}  // namespace
}  // namespace weft
