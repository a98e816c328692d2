#include "algorithms/slots/coloring.h"

#include <algorithm>
#include <bit>
#include <span>

namespace weft {

std::vector<LaneLinks> spread_over_bundles(const Graph& graph, const std::vector<Flow>& flows) {
  std::vector<LaneLinks> links;
  if (!graph.has_bundles()) return links;
  std::vector<std::size_t> next(graph.link_count());
  for (const Flow& flow : flows) {
    LaneLinks own;
    for (const CircuitTree& tree : flow.trees) {
      own.emplace_back(tree.edges.size());
      for (std::size_t e = 0; e < tree.edges.size(); ++e) {
        const std::span<const LinkId> bundle = graph.bundle(tree.edges[e].link);
        if (bundle.empty()) continue;
        std::size_t& turn = next[bundle.front()];
        for (std::uint32_t unit = 0; unit < flow.slots; ++unit) own.back()[e].push_back(bundle[turn++ % bundle.size()]);
      }
    }
    links.push_back(std::move(own));
  }
  return links;
}

ColoringProblem make_coloring_problem(std::size_t link_count, const std::vector<Flow>& flows,
                                      const std::vector<LaneLinks>& links) {
  // Visits the links of a unit of a flow.
  const auto visit_links = [&](std::size_t f, std::uint32_t unit, auto&& visit) {
    for (std::size_t t = 0; t < flows[f].trees.size(); ++t) {
      const std::vector<TreeEdge>& edges = flows[f].trees[t].edges;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        visit(links.empty() || links[f][t][e].empty() ? edges[e].link : links[f][t][e][unit]);
      }
    }
    // Where nodes have several links, the units of a flow may share none, but they need different slots all the same.
    const bool apart = flows[f].slots > 1 && !links.empty() && !links[f].front().front().empty();
    if (apart) visit(static_cast<LinkId>(link_count + f));
  };
  const std::size_t all_links = link_count + (links.empty() ? 0 : flows.size());
  std::vector<std::uint32_t> load(all_links);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    for (std::uint32_t unit = 0; unit < flows[f].slots; ++unit) visit_links(f, unit, [&](LinkId l) { ++load[l]; });
  }
  ColoringProblem p;
  std::vector<std::uint32_t> dense(all_links, kNoId);
  for (std::size_t l = 0; l < all_links; ++l) {
    p.lower_bound = std::max(p.lower_bound, load[l]);
    if (load[l] < 2) continue;
    dense[l] = static_cast<std::uint32_t>(p.links());
    p.link_begin.push_back(p.link_begin.back() + load[l]);
  }
  p.link_items.resize(p.link_begin.back());
  std::vector<std::uint32_t> fill(p.link_begin.begin(), p.link_begin.end() - 1);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    for (std::uint32_t unit = 0; unit < flows[f].slots; ++unit) {
      const auto item = static_cast<std::uint32_t>(p.items());
      p.item_flow.push_back(static_cast<std::uint32_t>(f));
      visit_links(f, unit, [&](LinkId link) {
        const std::uint32_t l = dense[link];
        if (l == kNoId) return;
        p.item_links.push_back(l);
        p.link_items[fill[l]++] = item;
      });
      p.item_begin.push_back(static_cast<std::uint32_t>(p.item_links.size()));
    }
  }
  if (p.items() > 0) p.lower_bound = std::max(p.lower_bound, 1u);
  return p;
}

std::uint32_t color_count(const Coloring& coloring) {
  return coloring.empty() ? 0 : *std::max_element(coloring.begin(), coloring.end()) + 1;
}

Coloring greedy_coloring(const ColoringProblem& problem, const std::vector<std::uint32_t>& order) {
  // Bit vectors of used colours, `words` 64-bit words per link, widened when the colours no longer fit.
  for (std::size_t words = problem.lower_bound / 32 + 1;; words *= 2) {
    std::vector<std::uint64_t> used(problem.links() * words);
    std::vector<std::uint64_t> taken(words);
    Coloring coloring(problem.items());
    bool fits = true;
    for (const std::uint32_t item : order) {
      std::fill(taken.begin(), taken.end(), 0);
      for (std::uint32_t i = problem.item_begin[item]; i < problem.item_begin[item + 1]; ++i) {
        const std::uint64_t* row = &used[problem.item_links[i] * words];
        for (std::size_t w = 0; w < words; ++w) taken[w] |= row[w];
      }
      std::size_t w = 0;
      while (w < words && taken[w] == ~std::uint64_t{0}) ++w;
      if (w == words) {
        fits = false;
        break;
      }
      const auto bit = static_cast<std::uint32_t>(std::countr_one(taken[w]));
      coloring[item] = static_cast<std::uint32_t>(w * 64) + bit;
      for (std::uint32_t i = problem.item_begin[item]; i < problem.item_begin[item + 1]; ++i) {
        used[problem.item_links[i] * words + w] |= std::uint64_t{1} << bit;
      }
    }
    if (fits) return coloring;
  }
}

}  // namespace weft
