// Links, DMACs, routes and grids of full meshes, dragonflies and hierarchies.

#include "algorithms/optweb/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "algorithms/optweb/hops/node_grid.h"

namespace weft::optweb {
namespace {

// Every DMAC is for one other node, both ends of a link have one, and without a link there is a node between.
void check_links(const std::vector<std::uint32_t>& levels, std::uint32_t links) {
  const Neighbours n(levels);
  EXPECT_EQ(n.dmacs(), links + 1);
  for (NodeId a = 0; a < n.nodes(); a += std::max(1U, n.nodes() / 8)) {
    std::vector<bool> seen(n.dmacs());
    for (NodeId b = 0; b < n.nodes(); ++b) {
      std::size_t apart = 0;
      for (std::size_t l = 0; l < levels.size(); ++l) apart += n.place(a, l) != n.place(b, l) ? 1 : 0;
      EXPECT_EQ(n.hops(a, b), apart);
      const std::vector<NodeId> route = n.route(a, b);
      ASSERT_EQ(route.size(), apart + 1);
      EXPECT_TRUE(route.front() == a && route.back() == b);
      for (std::size_t i = 1; i < route.size(); ++i) EXPECT_EQ(n.hops(route[i - 1], route[i]), 1U);
      const auto d = n.dmac(a, b);
      EXPECT_EQ(d.has_value(), apart < 2);
      EXPECT_EQ(d.has_value(), n.dmac(b, a).has_value());  // links have two ends
      if (!d) continue;
      EXPECT_FALSE(seen[*d]);
      seen[*d] = true;
      EXPECT_EQ(n.peer(a, *d), b);
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::int64_t>(links + 1));
  }
}

// Section 5.3 of the paper: g(k - g + 2) nodes, at most two hops; 968 of them with 64 links and 22 groups.
TEST(OptwebNeighbours, DragonfliesHaveTwoHops) {
  for (const auto& [nodes, groups, links] : {std::tuple{16U, 4U, 6U}, {968U, 22U, 64U}, {12U, 3U, 5U}, {8U, 2U, 4U}}) {
    EXPECT_EQ(nodes, groups * (links - groups + 2));
    check_links({nodes / groups, groups}, links);
  }
  const Neighbours mesh({5});
  for (NodeId b = 0; b < 5; ++b) EXPECT_EQ(mesh.dmac(3, b), b);
}

TEST(OptwebNeighbours, HierarchiesHaveAHopPerLevel) {
  check_links({4, 4, 4}, 9);
  check_links({2, 3, 4}, 6);
  check_links({3, 2, 2, 5}, 8);
  check_links({8, 11, 11}, 27);
  // Places of the group, then the other groups, then the other groups of groups.
  const Neighbours n({2, 3, 2});
  const std::vector<NodeId> peers{8, 9, 6, 10, 2};
  for (std::uint32_t d = 0; d < peers.size(); ++d) EXPECT_EQ(n.peer(8, d), peers[d]) << d;
  // The highest level is the first hop.
  EXPECT_EQ(n.route(0, 11), (std::vector<NodeId>{0, 6, 10, 11}));
}

TEST(OptwebNeighbours, GridsHaveTheSamePlacesInEveryGroup) {
  const Neighbours n({4, 4});
  const auto all = grid_of(n, {0, 1, 4, 5, 12, 13});
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->levels(), 2U);
  EXPECT_EQ(all->line(4, 1), (std::vector<NodeId>{0, 4, 12}));
  EXPECT_EQ(all->line(4, 0), (std::vector<NodeId>{4, 5}));
  EXPECT_FALSE(grid_of(n, {0, 1, 4, 6}));
  EXPECT_FALSE(grid_of(n, {0, 1, 4}));
  EXPECT_FALSE(grid_of(n, {0, 4, 5}));
  EXPECT_TRUE(n.clique({1, 5, 13}));
  EXPECT_TRUE(n.clique({4, 5, 7}));
  EXPECT_FALSE(n.clique({0, 5}));
}

// Levels at which no two nodes of a grid differ do not count.
TEST(OptwebNeighbours, GridsCountTheLevelsTheySpan) {
  const Neighbours n({4, 3, 5});
  const auto grid = grid_of(n, {5, 7, 17, 19, 41, 43});  // places 1 and 3 of group 1, in groups of groups 0, 1, 3
  ASSERT_TRUE(grid.has_value());
  EXPECT_EQ(grid->levels(), 2U);
  EXPECT_EQ(grid->count(0, 2), 6U);
  EXPECT_EQ(grid->number(43, 0, 2), 5U);
  EXPECT_EQ(grid->number(19, 1, 2), 1U);
  EXPECT_EQ(grid->mixed(7, 41, 1), 43U);
  EXPECT_EQ(grid->toward(5, 1, 43), 41U);
  EXPECT_TRUE(grid->same(7, 43, 0, 1));
  EXPECT_FALSE(grid->same(7, 43, 0, 2));
  EXPECT_EQ(n.spanned({5, 7, 17, 19, 41, 43}), 2U);
  EXPECT_EQ(n.spanned({5}), 1U);
  EXPECT_FALSE(grid_of(n, {5, 7, 17, 19, 41, 55}));
}

}  // namespace
}  // namespace weft::optweb
