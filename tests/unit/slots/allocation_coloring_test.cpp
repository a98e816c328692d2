#include "algorithms/slots/coloring.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "algorithms/slots/allocation.h"
#include "algorithms/slots/conflict_graph.h"
#include "unit/slots/allocation_cases.h"

namespace weft {
namespace {

/// Items i and j share a link for each pair named: any graph, as a colouring problem.
ColoringProblem problem_of(std::uint32_t items, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& conflicts) {
  std::vector<Flow> flows(items);
  for (Flow& f : flows) f.trees.emplace_back();
  for (std::uint32_t l = 0; l < conflicts.size(); ++l) {
    flows[conflicts[l].first].trees[0].edges.push_back({l, -1});
    flows[conflicts[l].second].trees[0].edges.push_back({l, -1});
  }
  return make_coloring_problem(conflicts.size(), flows);
}

std::vector<std::vector<bool>> conflict_matrix(const ColoringProblem& p) {
  std::vector<std::vector<bool>> matrix(p.items(), std::vector<bool>(p.items()));
  for (std::size_t l = 0; l < p.links(); ++l) {
    for (std::uint32_t i = p.link_begin[l]; i < p.link_begin[l + 1]; ++i) {
      for (std::uint32_t j = p.link_begin[l]; j < p.link_begin[l + 1]; ++j)
        matrix[p.link_items[i]][p.link_items[j]] = i != j;
    }
  }
  return matrix;
}

bool proper(const ColoringProblem& p, const Coloring& coloring) {
  const auto matrix = conflict_matrix(p);
  for (std::size_t i = 0; i < p.items(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (matrix[i][j] && coloring[i] == coloring[j]) return false;
    }
  }
  return coloring.size() == p.items();
}

/// Whether k colours suffice, by trying everything.
bool colorable(const std::vector<std::vector<bool>>& matrix, std::uint32_t k, Coloring& partial) {
  const std::size_t v = partial.size();
  if (v == matrix.size()) return true;
  const std::uint32_t used = color_count(partial);
  for (std::uint32_t c = 0; c < std::min(k, used + 1); ++c) {
    bool free = true;
    for (std::size_t u = 0; u < v && free; ++u) free = !matrix[v][u] || partial[u] != c;
    if (!free) continue;
    partial.push_back(c);
    if (colorable(matrix, k, partial)) return true;
    partial.pop_back();
  }
  return false;
}

std::uint32_t chromatic_number(const ColoringProblem& p) {
  const auto matrix = conflict_matrix(p);
  for (std::uint32_t k = 0;; ++k) {
    Coloring partial;
    if (colorable(matrix, k, partial)) return k;
  }
}

ColoringProblem draw_problem() {
  const auto items = *rc::gen::inRange<std::uint32_t>(1, 11);
  const auto density = *rc::gen::inRange<std::uint64_t>(10, 90);
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>(), "conflicts");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> conflicts;
  for (std::uint32_t i = 0; i < items; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (random.below(100) < density) conflicts.emplace_back(j, i);
    }
  }
  return problem_of(items, conflicts);
}

AllocationOptions search_options(std::uint64_t iterations) {
  AllocationOptions options;
  options.search_iterations = iterations;
  return options;
}

RC_GTEST_PROP(Coloring, AllAreProperAndSearchIsOptimalOnSmallProblems, ()) {
  const ColoringProblem p = draw_problem();
  std::vector<std::uint32_t> order(p.items());
  std::iota(order.begin(), order.end(), 0u);
  const Coloring greedy = greedy_coloring(p, order);
  const Coloring dsatur = dsatur_coloring(p);
  const Coloring search = search_coloring(p, search_options(5000));
  RC_ASSERT(proper(p, greedy));
  RC_ASSERT(proper(p, dsatur));
  RC_ASSERT(proper(p, search));
  const std::uint32_t optimum = chromatic_number(p);
  RC_ASSERT(color_count(search) == optimum);
  RC_ASSERT(color_count(dsatur) >= optimum);
}

/// DSATUR by its definition: every step looks at every item.
Coloring plain_dsatur(const ColoringProblem& p) {
  const auto matrix = conflict_matrix(p);
  Coloring coloring(p.items(), kNoId);
  for (std::size_t step = 0; step < p.items(); ++step) {
    std::tuple<std::size_t, std::ptrdiff_t> best_key;
    std::size_t best = p.items();
    std::set<std::uint32_t> best_taken;
    for (std::size_t v = 0; v < p.items(); ++v) {
      if (coloring[v] != kNoId) continue;
      std::set<std::uint32_t> taken;
      for (std::size_t u = 0; u < p.items(); ++u) {
        if (matrix[v][u] && coloring[u] != kNoId) taken.insert(coloring[u]);
      }
      const std::tuple key(taken.size(), std::count(matrix[v].begin(), matrix[v].end(), true));
      if (best < p.items() && key <= best_key) continue;
      best_key = key;
      best = v;
      best_taken = taken;
    }
    std::uint32_t color = 0;
    while (best_taken.count(color) > 0) ++color;
    coloring[best] = color;
  }
  return coloring;
}

RC_GTEST_PROP(Coloring, DsaturFollowsItsDefinition, ()) {
  const ColoringProblem p = draw_problem();
  RC_ASSERT(dsatur_coloring(p) == plain_dsatur(p));
}

TEST(Coloring, OddRingNeedsOneMoreThanItsLinksSay) {
  const ColoringProblem ring = problem_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  EXPECT_EQ(ring.lower_bound, 2u);
  EXPECT_EQ(color_count(search_coloring(ring, search_options(1000))), 3u);
  EXPECT_EQ(color_count(dsatur_coloring(ring)), 3u);
}

TEST(Coloring, FlowsOfSeveralSlotsAndManyColours) {
  const Graph graph = test::grid({3});
  const auto routing = test::dimension_order(graph);
  const std::vector<Flow> flows{test::flow(graph, *routing, "a", {{0, 2}}, 100),
                                test::flow(graph, *routing, "b", {{1, 2}}, 70),
                                test::flow(graph, *routing, "c", {{2, 0}}, 5)};
  const ColoringProblem p = make_coloring_problem(graph.link_count(), flows);
  EXPECT_EQ(p.items(), 175u);
  EXPECT_EQ(p.lower_bound, 170u);
  for (const Coloring& coloring : {dsatur_coloring(p), search_coloring(p, search_options(100))}) {
    EXPECT_TRUE(proper(p, coloring));
    EXPECT_EQ(color_count(coloring), 170u);
  }
}

TEST(Coloring, MoreColoursThanTheFirstBitVectorsHold) {
  // Complete graph by pairwise links: the lower bound says 2, 100 are needed, so the vectors must grow.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::uint32_t i = 0; i < 100; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) all.emplace_back(j, i);
  }
  const ColoringProblem p = problem_of(100, all);
  std::vector<std::uint32_t> order(100);
  std::iota(order.begin(), order.end(), 0u);
  EXPECT_EQ(color_count(greedy_coloring(p, order)), 100u);
  EXPECT_EQ(color_count(dsatur_coloring(p)), 100u);
  EXPECT_EQ(color_count(search_coloring(p, search_options(50))), 100u);
}

RC_GTEST_PROP(Coloring, TheKernelDecides, ()) {
  const ColoringProblem p = draw_problem();
  const std::uint32_t optimum = chromatic_number(p);
  const auto graph = make_conflict_graph(p, 1000);
  RC_ASSERT(graph.has_value());
  const auto k = *rc::gen::inRange<std::uint32_t>(1, 6);
  const Kernel kernel = make_kernel(*graph, k);
  std::size_t items = kernel.set_aside.size();
  bool parts_colorable = true;
  for (const Kernel::Part& part : kernel.parts) {
    items += part.items.size();
    std::vector<std::vector<bool>> matrix(part.items.size(), std::vector<bool>(part.items.size()));
    for (std::size_t v = 0; v < part.items.size(); ++v) {
      RC_ASSERT(part.graph.begin[v + 1] - part.graph.begin[v] >= k);  // else it would have been set aside
      for (std::size_t j = part.graph.begin[v]; j < part.graph.begin[v + 1]; ++j)
        matrix[v][part.graph.neighbors[j]] = true;
    }
    Coloring partial;
    parts_colorable = parts_colorable && colorable(matrix, k, partial);
  }
  RC_ASSERT(items == p.items());
  RC_ASSERT(parts_colorable == (optimum <= k));
}

TEST(Coloring, ConflictGraphsBeyondTheLimitAreNotBuilt) {
  const ColoringProblem ring = problem_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  EXPECT_TRUE(make_conflict_graph(ring, 8).has_value());
  EXPECT_FALSE(make_conflict_graph(ring, 7).has_value());
}

TEST(Tabu, RepairsABadStartAndCountsItsMoves) {
  const ColoringProblem ring = problem_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}});
  const auto graph = make_conflict_graph(ring, 100);
  RandomStream random(1, "tabu");
  Coloring coloring(6, 0);
  std::uint64_t iterations = 1000;
  EXPECT_TRUE(tabu_coloring(*graph, 2, iterations, random, coloring));
  EXPECT_TRUE(proper(ring, coloring));
  EXPECT_GE(iterations, 900u);
  EXPECT_LE(iterations, 997u);  // three of six must change
}

TEST(Tabu, GivesUpWhenItsMovesAreUsed) {
  const ColoringProblem triangle = problem_of(3, {{0, 1}, {1, 2}, {2, 0}});
  const auto graph = make_conflict_graph(triangle, 100);
  RandomStream random(1, "tabu");
  for (const std::uint32_t colors : {1u, 2u}) {
    Coloring coloring(3, 0);
    std::uint64_t iterations = 50;
    EXPECT_FALSE(tabu_coloring(*graph, colors, iterations, random, coloring));
    EXPECT_EQ(iterations, 0u);
  }
}

}  // namespace
}  // namespace weft
