// Search for a colouring with the minimum number of colours: constructive starts, then iterated greedy
// (Culberson and Luo, "Exploring the k-colorable landscape with iterated greedy", 1996), then tabu search on
// what is left after the exact reduction of conflict_graph.h. Every step ends at once when the lower bound is
// reached.

#include <algorithm>
#include <numeric>

#include "algorithms/slots/coloring.h"
#include "algorithms/slots/conflict_graph.h"
#include "base/random.h"

namespace weft {
namespace {

constexpr std::uint32_t kGreedyRounds = 20;
// Beyond these the tabu search would need more than about half a gigabyte, and the greedy result stands.
constexpr std::size_t kMostNeighbours = std::size_t{1} << 25;
constexpr std::size_t kMostTabuBytes = std::size_t{1} << 28;

class Search {
 public:
  Search(const ColoringProblem& problem, const AllocationOptions& options)
      : problem_(problem), iterations_(options.search_iterations), random_(options.seed, "slots.search") {}

  Coloring run() {
    start();
    if (!optimal()) iterate_greedily();
    if (!optimal()) tabu();
    return std::move(best_);
  }

 private:
  bool optimal() const { return color_count(best_) <= problem_.lower_bound; }

  void keep(Coloring coloring) {
    if (best_.empty() || color_count(coloring) < color_count(best_)) best_ = std::move(coloring);
  }

  void start() {
    std::vector<std::uint32_t> order(problem_.items());
    std::iota(order.begin(), order.end(), 0u);
    keep(greedy_coloring(problem_, order));
    if (optimal()) return;
    const auto links = [this](std::uint32_t v) { return problem_.item_begin[v + 1] - problem_.item_begin[v]; };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return links(a) > links(b); });
    keep(greedy_coloring(problem_, order));
    if (!optimal()) keep(dsatur_coloring(problem_));
  }

  /// Greedy again with the items of each colour together, which never takes more colours than before, the
  /// colours in another order: reversed, by size or at random.
  void iterate_greedily() {
    Coloring current = best_;
    for (std::uint32_t round = 0; round < kGreedyRounds && !optimal(); ++round) {
      const std::uint32_t colors = color_count(current);
      std::vector<std::vector<std::uint32_t>> classes(colors);
      for (std::uint32_t v = 0; v < problem_.items(); ++v) classes[current[v]].push_back(v);
      const std::uint64_t choice = random_.below(10);
      if (choice < 5) {
        std::reverse(classes.begin(), classes.end());
      } else if (choice < 7) {
        std::stable_sort(classes.begin(), classes.end(),
                         [](const auto& a, const auto& b) { return a.size() > b.size(); });
      } else {
        for (std::size_t i = classes.size(); i > 1; --i) std::swap(classes[i - 1], classes[random_.below(i)]);
      }
      std::vector<std::uint32_t> order;
      order.reserve(problem_.items());
      for (const auto& members : classes) order.insert(order.end(), members.begin(), members.end());
      current = greedy_coloring(problem_, order);
      keep(current);
    }
  }

  /// First straight for the lower bound; if that fails, one colour fewer than the best at a time.
  void tabu() {
    const auto graph = make_conflict_graph(problem_, kMostNeighbours);
    if (!graph || try_colors(*graph, problem_.lower_bound)) return;
    while (color_count(best_) > problem_.lower_bound + 1 && try_colors(*graph, color_count(best_) - 1)) {
    }
  }

  bool try_colors(const ConflictGraph& graph, std::uint32_t colors) {
    const Kernel kernel = make_kernel(graph, colors);
    Coloring coloring(problem_.items(), kNoId);
    std::uint64_t iterations = iterations_;
    for (const Kernel::Part& part : kernel.parts) {
      if (tabu_bytes(part.items.size(), colors) > kMostTabuBytes) return false;
      Coloring local(part.items.size());
      for (std::size_t i = 0; i < local.size(); ++i) {
        const std::uint32_t color = best_[part.items[i]];
        local[i] = color < colors ? color : static_cast<std::uint32_t>(random_.below(colors));
      }
      if (!tabu_coloring(part.graph, colors, iterations, random_, local)) return false;
      for (std::size_t i = 0; i < local.size(); ++i) coloring[part.items[i]] = local[i];
    }
    std::vector<bool> taken;
    for (const std::uint32_t v : kernel.set_aside) {
      taken.assign(colors, false);
      for (std::size_t j = graph.begin[v]; j < graph.begin[v + 1]; ++j) {
        if (const std::uint32_t c = coloring[graph.neighbors[j]]; c != kNoId) taken[c] = true;
      }
      coloring[v] = static_cast<std::uint32_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    }
    keep(std::move(coloring));
    return true;
  }

  const ColoringProblem& problem_;
  std::uint64_t iterations_;
  RandomStream random_;
  Coloring best_;
};

}  // namespace

Coloring search_coloring(const ColoringProblem& problem, const AllocationOptions& options) {
  if (problem.items() == 0) return {};
  return Search(problem, options).run();
}

extern const Allocator kSearch;
constinit const Allocator kSearch{
    .name = "search",
    .meaning =
        "these, then iterated greedy and tabu colouring until no slot less is possible or slots.search_iterations "
        "are used up",
    .order = longest_first_order,
    .color = search_coloring,
    .searches = true,
};

}  // namespace weft
