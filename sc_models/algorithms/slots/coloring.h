#pragma once
// Same-slot allocation as graph colouring: an item is one slot of one flow, a colour is a slot number, and
// two items conflict when their flows share a directed link (the items of one flow conflict with each other).

#include <cstdint>
#include <vector>

#include "algorithms/slots/allocation_options.h"
#include "algorithms/slots/flow.h"

namespace weft {

/// Items and the links they use, as two compressed tables. Only links with two or more items are kept.
struct ColoringProblem {
  std::vector<std::uint32_t> item_flow;      ///< item -> flow, items of a flow are consecutive
  std::vector<std::uint32_t> item_begin{0};  ///< item -> first entry in item_links
  std::vector<std::uint32_t> item_links;     ///< dense link numbers
  std::vector<std::uint32_t> link_begin{0};  ///< dense link -> first entry in link_items
  std::vector<std::uint32_t> link_items;
  std::uint32_t lower_bound = 0;  ///< largest number of items on one link, at least 1 when there is one

  std::size_t items() const { return item_flow.size(); }
  std::size_t links() const { return link_begin.size() - 1; }
};

/// Links of the units of each flow in bundles: the n-th unit that crosses a bundle takes its n-th link, all in turn, so
/// that the links of a bundle have as many units each, but for one. Nothing for a network without bundles.
std::vector<LaneLinks> spread_over_bundles(const Graph& graph, const std::vector<Flow>& flows);

/// The problem of a set of flows on a network with `link_count` directed links; `links`: of their units in bundles.
ColoringProblem make_coloring_problem(std::size_t link_count, const std::vector<Flow>& flows,
                                      const std::vector<LaneLinks>& links = {});

/// Visits the items that conflict with an item, each once.
class ConflictWalk {
 public:
  explicit ConflictWalk(const ColoringProblem& problem) : problem_(problem), seen_(problem.items()) {}

  template <class Visit>
  void visit(std::uint32_t item, Visit&& visit_other) {
    seen_[item] = ++round_;
    for (std::uint32_t i = problem_.item_begin[item]; i < problem_.item_begin[item + 1]; ++i) {
      const std::uint32_t link = problem_.item_links[i];
      for (std::uint32_t j = problem_.link_begin[link]; j < problem_.link_begin[link + 1]; ++j) {
        const std::uint32_t other = problem_.link_items[j];
        if (seen_[other] == round_) continue;
        seen_[other] = round_;
        visit_other(other);
      }
    }
  }

 private:
  const ColoringProblem& problem_;
  std::vector<std::uint32_t> seen_;  // last round in which an item was visited
  std::uint32_t round_ = 0;
};

using Coloring = std::vector<std::uint32_t>;  ///< colour per item
std::uint32_t color_count(const Coloring& coloring);

/// Gives every item, in the order given, the lowest colour that no conflicting item has yet.
Coloring greedy_coloring(const ColoringProblem& problem, const std::vector<std::uint32_t>& order);

/// dsatur.cpp: the item with the fewest colours left first (Brelaz 1979), ties by the number of conflicts,
/// then by item.
Coloring dsatur_coloring(const ColoringProblem& problem);

/// search.cpp: dsatur and greedy orders, then iterated greedy and tabu colouring, until the lower bound is
/// reached or the iterations are used up.
Coloring search_coloring(const ColoringProblem& problem, const AllocationOptions& options);

}  // namespace weft
