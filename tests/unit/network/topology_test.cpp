#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace weft {
namespace {

using Dims = std::vector<std::uint32_t>;

TopologyConfig grid_config(const std::string& kind, Dims dims) {
  TopologyConfig config = topology_config(kind, {{"dims", std::move(dims)}});
  config.where = {"net.yaml", 3, 5};
  return config;
}

TopologyConfig tree_config(std::uint32_t k, std::uint32_t n) {
  TopologyConfig config = topology_config("tree", {{"arity", k}, {"levels", n}});
  return config;
}

TopologyConfig full_mesh_config(std::uint32_t n) {
  TopologyConfig config = topology_config("full_mesh", {{"switches", n}});
  return config;
}

TopologyConfig dragonfly_config(std::uint32_t g, std::uint32_t a, std::uint32_t p, std::uint32_t h) {
  TopologyConfig config = topology_config(
      "dragonfly", {{"groups", g}, {"routers_per_group", a}, {"nodes_per_router", p}, {"global_links", h}});
  return config;
}

/// Full-duplex links; checks on the way that both ends of each know each other and that no port has two uses.
std::uint32_t count_links(const Graph& graph) {
  std::uint32_t ends = 0;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) {
      const PortRef peer = graph.peer(s, p);
      if (peer.sw == kNoId) continue;
      EXPECT_EQ(graph.peer(peer.sw, peer.port), (PortRef{s, p}));
      EXPECT_NE(peer.sw, s);
      EXPECT_EQ(graph.node_at(s, p), kNoId);
      ++ends;
    }
  }
  EXPECT_EQ(ends % 2, 0u);
  return ends / 2;
}

/// Largest number of links between switches on a shortest path between two nodes.
std::uint32_t diameter(const Graph& graph) {
  std::uint32_t largest = 0;
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    std::vector<std::uint32_t> distance(graph.switches(), kNoId);
    std::vector<SwitchId> queue{graph.attachment(n).sw};
    distance[queue[0]] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (PortId p = 0; p < graph.ports(queue[i]); ++p) {
        const SwitchId peer = graph.peer(queue[i], p).sw;
        if (peer == kNoId || distance[peer] != kNoId) continue;
        distance[peer] = distance[queue[i]] + 1;
        queue.push_back(peer);
      }
    }
    for (NodeId m = 0; m < graph.nodes(); ++m) largest = std::max(largest, distance[graph.attachment(m).sw]);
  }
  return largest;
}

std::uint32_t product(const Dims& dims) { return std::accumulate(dims.begin(), dims.end(), 1u, std::multiplies<>()); }

std::string message_of(const TopologyConfig& config) {
  try {
    build_topology(config);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::vector<Dims> kGrids = {{1},    {2},       {5},       {4, 4},    {3, 5},      {2, 3},
                                  {1, 4}, {2, 2, 2}, {3, 4, 2}, {4, 1, 3}, {3, 2, 2, 3}};

TEST(Topology, MeshCounts) {
  for (const Dims& dims : kGrids) {
    const Graph graph = build_topology(grid_config("mesh", dims));
    SCOPED_TRACE(graph.name());
    const std::uint32_t n = product(dims);
    std::uint32_t links = 0;
    std::uint32_t reach = 0;
    for (const std::uint32_t k : dims) {
      links += (k - 1) * (n / k);
      reach += k - 1;
    }
    EXPECT_EQ(graph.switches(), n);
    EXPECT_EQ(graph.nodes(), n);
    EXPECT_EQ(count_links(graph), links);
    EXPECT_EQ(diameter(graph), reach);
    for (SwitchId s = 0; s < n; ++s) {
      EXPECT_EQ(graph.ports(s), 1 + 2 * dims.size());
      EXPECT_EQ(graph.attachment(s), (PortRef{s, 0}));
    }
  }
}

TEST(Topology, TorusCounts) {
  for (const Dims& dims : kGrids) {
    const Graph graph = build_topology(grid_config("torus", dims));
    SCOPED_TRACE(graph.name());
    const std::uint32_t n = product(dims);
    std::uint32_t links = 0;
    std::uint32_t reach = 0;
    for (const std::uint32_t k : dims) {
      links += k > 1 ? n : 0;
      reach += k / 2;
    }
    EXPECT_EQ(count_links(graph), links);
    EXPECT_EQ(diameter(graph), reach);
    EXPECT_TRUE(graph.grid().torus);
  }
}

TEST(Topology, MeshPortsFollowTheConvention) {
  const Graph graph = build_topology(grid_config("mesh", {4, 4}));
  EXPECT_EQ(graph.peer(5, 1), (PortRef{6, 2}));  // +x
  EXPECT_EQ(graph.peer(5, 2), (PortRef{4, 1}));  // -x
  EXPECT_EQ(graph.peer(5, 3), (PortRef{9, 4}));  // +y
  EXPECT_EQ(graph.peer(5, 4), (PortRef{1, 3}));  // -y
  EXPECT_TRUE(graph.is_free({3, 1}));
  EXPECT_TRUE(graph.is_free({0, 4}));
  EXPECT_FALSE(graph.is_free({0, 0}));
  const Graph cube = build_topology(grid_config("mesh", {2, 3, 4}));
  EXPECT_EQ(cube.peer(0, 5), (PortRef{6, 6}));  // +z
}

TEST(Topology, TorusOfTwoHasParallelLinks) {
  const Graph graph = build_topology(grid_config("torus", {2}));
  EXPECT_EQ(graph.peer(0, 1), (PortRef{1, 2}));
  EXPECT_EQ(graph.peer(0, 2), (PortRef{1, 1}));
}

TEST(Topology, LinkNumbersAndNames) {
  const Graph graph = build_topology(grid_config("mesh", {3, 2}));
  EXPECT_EQ(graph.total_ports(), 30u);
  EXPECT_EQ(graph.link_count(), 36u);
  for (LinkId l = 0; l < graph.total_ports(); ++l) {
    const PortRef driver = graph.driver(l);
    EXPECT_EQ(graph.out_link(driver.sw, driver.port), l);
    EXPECT_LT(driver.port, graph.ports(driver.sw));
    EXPECT_FALSE(graph.is_injection(l));
  }
  EXPECT_TRUE(graph.is_injection(graph.injection_link(0)));
  EXPECT_EQ(graph.link_name(graph.out_link(3, 1)), "sw[3].port1 -> sw[4]");
  EXPECT_EQ(graph.link_name(graph.out_link(3, 0)), "sw[3].port0 -> node 3");
  EXPECT_EQ(graph.link_name(graph.injection_link(3)), "node 3 -> sw[3]");
  EXPECT_EQ(graph.link_name(graph.out_link(0, 2)), "sw[0].port2 (free)");
  EXPECT_EQ(graph.name(), "mesh 3x2");
}

TEST(Topology, TreeCounts) {
  for (const auto& [k, n] : {std::pair{2u, 1u}, {2u, 3u}, {3u, 2u}, {4u, 3u}, {24u, 2u}, {1u, 3u}}) {
    const Graph graph = build_topology(tree_config(k, n));
    SCOPED_TRACE(graph.name());
    std::uint32_t width = 1;
    for (std::uint32_t l = 1; l < n; ++l) width *= k;
    EXPECT_EQ(graph.nodes(), width * k);
    EXPECT_EQ(graph.switches(), n * width);
    EXPECT_EQ(count_links(graph), (n - 1) * width * k);
    EXPECT_EQ(diameter(graph), k == 1 ? 0 : 2 * (n - 1));
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      EXPECT_EQ(graph.attachment(node), (PortRef{node / k, static_cast<PortId>(node % k)}));
    }
    for (SwitchId top = (n - 1) * width; top < n * width; ++top) {
      EXPECT_EQ(graph.ports(top), 2 * k);
      for (std::uint32_t up = k; up < 2 * k; ++up) EXPECT_TRUE(graph.is_free({top, static_cast<PortId>(up)}));
    }
  }
}

TEST(Topology, EveryRootOfATreeReachesEveryNodeDownwards) {
  const Graph graph = build_topology(tree_config(3, 3));
  for (SwitchId root = 18; root < 27; ++root) {
    std::set<NodeId> nodes;
    std::vector<SwitchId> level{root};
    for (int l = 2; l >= 0; --l) {
      std::vector<SwitchId> below;
      for (const SwitchId s : level) {
        for (PortId down = 0; down < 3; ++down) {
          if (l == 0)
            nodes.insert(graph.node_at(s, down));
          else
            below.push_back(graph.peer(s, down).sw);
        }
      }
      level = below;
    }
    EXPECT_EQ(nodes.size(), 27u);
    EXPECT_EQ(*nodes.rbegin(), 26u);
  }
}

TEST(Topology, FullMeshCounts) {
  for (const std::uint32_t n : {1u, 2u, 5u, 16u}) {
    const Graph graph = build_topology(full_mesh_config(n));
    EXPECT_EQ(graph.nodes(), n);
    EXPECT_EQ(count_links(graph), n * (n - 1) / 2);
    EXPECT_EQ(diameter(graph), n > 1 ? 1u : 0u);
    for (SwitchId s = 0; s < n; ++s) {
      EXPECT_EQ(graph.node_at(s, 0), s);
      for (PortId p = 1; p < n; ++p) EXPECT_EQ(graph.peer(s, p).sw, p - 1u < s ? p - 1u : p);
    }
  }
}

TEST(Topology, DragonflyCounts) {
  struct Shape {
    std::uint32_t g, a, p, h;
  };
  for (const auto& [g, a, p, h] :
       {Shape{9, 4, 2, 2}, {5, 4, 2, 2}, {4, 4, 1, 2}, {2, 3, 1, 1}, {1, 4, 2, 0}, {3, 1, 2, 2}}) {
    const Graph graph = build_topology(dragonfly_config(g, a, p, h));
    SCOPED_TRACE(graph.name());
    const std::uint32_t bundles = g > 1 ? a * h / (g - 1) : 0;
    EXPECT_EQ(graph.switches(), g * a);
    EXPECT_EQ(graph.nodes(), g * a * p);
    EXPECT_EQ(count_links(graph), g * a * (a - 1) / 2 + g * (g - 1) / 2 * bundles);
    EXPECT_LE(diameter(graph), 3u);
    std::vector<std::vector<std::uint32_t>> between(g, std::vector<std::uint32_t>(g));
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      std::set<SwitchId> local;
      for (std::uint32_t q = p; q < p + a - 1; ++q) local.insert(graph.peer(s, static_cast<PortId>(q)).sw);
      EXPECT_EQ(local.size(), a - 1);
      for (const SwitchId other : local) EXPECT_EQ(other / a, s / a);
      for (std::uint32_t q = p + a - 1; q < graph.ports(s); ++q) {
        const SwitchId peer = graph.peer(s, static_cast<PortId>(q)).sw;
        if (peer != kNoId) ++between[s / a][peer / a];
      }
    }
    for (std::uint32_t i = 0; i < g; ++i) {
      for (std::uint32_t j = 0; j < g; ++j) EXPECT_EQ(between[i][j], i == j ? 0 : bundles);
    }
  }
}

TEST(Topology, PalmtreeArrangement) {
  const Graph graph = build_topology(dragonfly_config(9, 4, 2, 2));
  // Global port j = r*h + q of group i leads to group i - j - 1; j = 0 is router 0, port 2 + 3.
  EXPECT_EQ(graph.peer(0, 5), (PortRef{8 * 4 + 3, 6}));
  EXPECT_EQ(graph.peer(0, 6).sw / 4, 7u);
  EXPECT_EQ(graph.peer(3 * 4 + 1, 5).sw / 4, 0u);  // group 3, j = 2
}

TEST(Topology, BadNumbersAreReported) {
  EXPECT_THAT(message_of(grid_config("mesh", {})), testing::HasSubstr("net.yaml:3:5: error: "));
  EXPECT_THAT(message_of(grid_config("mesh", {4, 0})), testing::HasSubstr("mesh 4x0: a dimension has at least 1"));
  EXPECT_THAT(message_of(grid_config("torus", {2000000, 2000000})), testing::HasSubstr("more than 1048576"));
  EXPECT_THAT(message_of(tree_config(0, 2)), testing::HasSubstr("at least 1"));
  EXPECT_THAT(message_of(tree_config(4, 40)), testing::HasSubstr("more than 1048576 switches"));
  EXPECT_THAT(message_of(full_mesh_config(0)), testing::HasSubstr("not 0"));
  EXPECT_THAT(message_of(dragonfly_config(10, 4, 2, 2)), testing::HasSubstr("10 groups need 9 global links per group"));
  EXPECT_THAT(message_of(dragonfly_config(2, 0, 1, 1)), testing::HasSubstr("at least 1"));
}

TEST(CheckGraph, FindsPartsThatAreCutOff) {
  Graph graph("parts");
  for (int s = 0; s < 7; ++s) graph.add_switch(3);
  graph.connect({0, 1}, {1, 1});
  graph.connect({2, 1}, {3, 1});  // with node 1
  graph.connect({4, 1}, {5, 1});  // without nodes
  graph.attach_node({0, 0});
  graph.attach_node({3, 0});
  graph.attach_node({2, 0});
  Diagnostics diagnostics;
  check_graph(graph, {"parts.topo", 0, 0}, diagnostics);
  ASSERT_EQ(diagnostics.errors(), 3u);
  EXPECT_EQ(diagnostics.list()[0].text(),
            "parts.topo: error: node 1 (at sw[3]) cannot be reached from node 0: 2 switches with it are cut off");
  EXPECT_EQ(diagnostics.list()[1].text(),
            "parts.topo: error: sw[4] cannot be reached from node 0: 2 switches with it are cut off");
  EXPECT_EQ(diagnostics.list()[2].text(), "parts.topo: error: sw[6] has no link to another switch");
}

TEST(CheckGraph, ReportsAtMostTenParts) {
  Graph graph("dust");
  for (int s = 0; s < 30; ++s) graph.add_switch(1);
  graph.attach_node({0, 0});
  Diagnostics diagnostics;
  check_graph(graph, {}, diagnostics);
  EXPECT_EQ(diagnostics.errors(), 11u);
  EXPECT_EQ(diagnostics.list().back().message, "and 19 more parts are cut off");
}

TEST(CheckGraph, NeedsNodes) {
  Graph graph("empty");
  graph.add_switch(2);
  Diagnostics diagnostics;
  check_graph(graph, {}, diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(diagnostics.list()[0].message, "the network has no end nodes");
}

}  // namespace
}  // namespace weft
