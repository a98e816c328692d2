#include "algorithms/slots/coloring.h"

#include <algorithm>
#include <bit>

namespace weft {

ColoringProblem make_coloring_problem(std::size_t link_count, const std::vector<Flow>& flows) {
  std::vector<std::uint32_t> load(link_count);
  for (const Flow& flow : flows) {
    for (const CircuitTree& tree : flow.trees) {
      for (const TreeEdge& edge : tree.edges) load[edge.link] += flow.slots;
    }
  }
  ColoringProblem p;
  std::vector<std::uint32_t> dense(link_count, kNoId);
  for (std::size_t l = 0; l < link_count; ++l) {
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
      for (const CircuitTree& tree : flows[f].trees) {
        for (const TreeEdge& edge : tree.edges) {
          const std::uint32_t l = dense[edge.link];
          if (l == kNoId) continue;
          p.item_links.push_back(l);
          p.link_items[fill[l]++] = item;
        }
      }
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
