#include "network/patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "network/topology/topologies.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

using test::grid;
using test::Pairs;

Pairs pattern(const std::string& name, const Graph& graph, std::uint64_t seed = 1) {
  RandomStream random(seed, "pattern");
  return make_pattern(name, graph, random, {"p.yaml", 2, 12});
}

std::string pattern_message(const std::string& name, const Graph& graph) {
  try {
    pattern(name, graph);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Patterns, SixteenNodes) {
  const Graph graph = grid({4, 4});
  EXPECT_EQ(
      pattern("bit_reversal", graph),
      (Pairs{
          {1, 8}, {2, 4}, {3, 12}, {4, 2}, {5, 10}, {7, 14}, {8, 1}, {10, 5}, {11, 13}, {12, 3}, {13, 11}, {14, 7}}));
  EXPECT_EQ(
      pattern("matrix_transpose", graph),
      (Pairs{{1, 4}, {2, 8}, {3, 12}, {4, 1}, {6, 9}, {7, 13}, {8, 2}, {9, 6}, {11, 14}, {12, 3}, {13, 7}, {14, 11}}));
  EXPECT_EQ(pattern("perfect_shuffle", graph), (Pairs{{1, 2},
                                                      {2, 4},
                                                      {3, 6},
                                                      {4, 8},
                                                      {5, 10},
                                                      {6, 12},
                                                      {7, 14},
                                                      {8, 1},
                                                      {9, 3},
                                                      {10, 5},
                                                      {11, 7},
                                                      {12, 9},
                                                      {13, 11},
                                                      {14, 13}}));
  EXPECT_EQ(pattern("butterfly", graph), (Pairs{{1, 8}, {3, 10}, {5, 12}, {7, 14}, {8, 1}, {10, 3}, {12, 5}, {14, 7}}));
  Pairs complement, tornado;
  for (NodeId n = 0; n < 16; ++n) {
    complement.emplace_back(n, 15 - n);
    tornado.emplace_back(n, (n + 7) % 16);
  }
  EXPECT_EQ(pattern("bit_complement", graph), complement);
  EXPECT_EQ(pattern("tornado", graph), tornado);
}

TEST(Patterns, TornadoPerDimension) {
  // k = 5: two further in x; k = 4: one further in y.
  const Pairs pairs = pattern("tornado_per_dimension", grid({5, 4}));
  ASSERT_EQ(pairs.size(), 20u);
  EXPECT_EQ(pairs[0], std::pair(0u, 7u));
  EXPECT_EQ(pairs[19], std::pair(19u, 1u));  // (4,3) -> (1,0)
}

TEST(Patterns, DeterministicOnesArePermutations) {
  const Graph graph = grid({8, 8});
  for (const std::string& name : pattern_names()) {
    if (name == "uniform" || name == "neighbor") continue;
    std::set<NodeId> sources, destinations;
    for (const auto& [from, to] : pattern(name, graph)) {
      EXPECT_NE(from, to) << name;
      EXPECT_LT(to, 64u) << name;
      EXPECT_TRUE(sources.insert(from).second) << name;
      EXPECT_TRUE(destinations.insert(to).second) << name;
    }
    EXPECT_EQ(sources, destinations) << name;
  }
}

TEST(Patterns, UniformReachesAllOthersEvenly) {
  const Graph graph = grid({2, 2});
  std::vector<std::vector<int>> count(4, std::vector<int>(4));
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Pairs pairs = pattern("uniform", graph, seed);
    ASSERT_EQ(pairs.size(), 4u);
    for (const auto& [from, to] : pairs) ++count[from][to];
  }
  for (NodeId from = 0; from < 4; ++from) {
    for (NodeId to = 0; to < 4; ++to) EXPECT_NEAR(count[from][to], from == to ? 0 : 1000, from == to ? 0 : 130);
  }
}

TEST(Patterns, NeighborIsMostlyNear) {
  const Graph graph = grid({64, 64});
  const Pairs pairs = pattern("neighbor", graph);
  ASSERT_EQ(pairs.size(), 4096u);
  int near = 0;
  for (const auto& [from, to] : pairs) {
    EXPECT_NE(from, to);
    const auto gap = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
    near += gap(from % 64, to % 64) + gap(from / 64, to / 64) == 1 ? 1 : 0;
  }
  EXPECT_NEAR(near, 4096 * 0.9, 80);  // four standard deviations
}

TEST(Patterns, SameSeedSamePairs) {
  const Graph graph = grid({8, 8});
  for (const std::string name : {"uniform", "neighbor"}) {
    EXPECT_EQ(pattern(name, graph, 5), pattern(name, graph, 5));
    EXPECT_NE(pattern(name, graph, 5), pattern(name, graph, 6));
  }
}

TEST(Patterns, NamesAreInTheOrderOfTheTable) {
  EXPECT_THAT(pattern_names(),
              testing::ElementsAre("uniform", "bit_reversal", "matrix_transpose", "neighbor", "perfect_shuffle",
                                   "butterfly", "bit_complement", "tornado", "tornado_per_dimension"));
}

TEST(Patterns, UndefinedOnesAreErrors) {
  TopologyConfig config = topology_config("full_mesh", {{"switches", 6U}});
  const Graph six = build_topology(config);
  EXPECT_THAT(pattern_message("transpose", six),
              ::testing::HasSubstr("unknown pattern 'transpose'; expected one of: uniform, bit_reversal, "));
  EXPECT_EQ(pattern_message("unifrom", six), "p.yaml:2:12: error: unknown pattern 'unifrom'; did you mean 'uniform'?");
  EXPECT_EQ(pattern_message("butterfly", six),
            "p.yaml:2:12: error: pattern 'butterfly' needs a power of two of nodes; the network (full mesh "
            "of 6) has 6 "
            "nodes");
  EXPECT_THAT(pattern_message("neighbor", six), testing::HasSubstr("needs a mesh or torus"));
  EXPECT_THAT(pattern_message("tornado_per_dimension", six), testing::HasSubstr("needs a mesh or torus"));
  EXPECT_THAT(pattern_message("matrix_transpose", grid({4, 2})), testing::HasSubstr("needs a power of four of nodes"));
  EXPECT_THAT(pattern_message("uniform", grid({1})), testing::HasSubstr("needs at least 2 nodes"));
  EXPECT_EQ(pattern_message("tornado", six), "");
  EXPECT_EQ(pattern_message("uniform", six), "");
}

}  // namespace
}  // namespace weft
