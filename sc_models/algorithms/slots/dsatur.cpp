// DSATUR (Brelaz, "New methods to color the vertices of a graph", CACM 1979) on items and links, without an
// explicit conflict graph: an item's neighbours are found along its links, from which coloured items are
// dropped on the way.

#include <algorithm>
#include <bit>
#include <numeric>

#include "algorithms/slots/coloring.h"
#include "algorithms/slots/item_heap.h"

namespace weft {
namespace {

/// Keys before anything is coloured. The upper half counts the colours taken by neighbours, the lower half is
/// the rank by number of conflicts, then by lowest item number.
std::vector<std::uint64_t> first_keys(const ColoringProblem& problem) {
  std::vector<std::uint32_t> conflicts(problem.items());
  ConflictWalk walk(problem);
  for (std::uint32_t item = 0; item < problem.items(); ++item) {
    walk.visit(item, [&conflicts, item](std::uint32_t) { ++conflicts[item]; });
  }
  std::vector<std::uint32_t> items(problem.items());
  std::iota(items.begin(), items.end(), 0u);
  std::stable_sort(items.begin(), items.end(), [&](auto a, auto b) { return conflicts[a] > conflicts[b]; });
  std::vector<std::uint64_t> keys(problem.items());
  for (std::size_t i = 0; i < items.size(); ++i) keys[items[i]] = items.size() - i;
  return keys;
}

class Dsatur {
 public:
  Dsatur(const ColoringProblem& problem, std::size_t words)
      : problem_(problem),
        words_(words),
        taken_(words * problem.items()),
        heap_(first_keys(problem)),
        link_items_(problem.link_items),
        link_end_(problem.link_begin.begin() + 1, problem.link_begin.end()),
        coloring_(problem.items(), kNoId) {}

  /// False when the colours do not fit the bit vectors.
  bool run() {
    while (!heap_.empty()) {
      const std::uint32_t item = heap_.pop();
      const std::uint32_t color = lowest_color(item);
      if (color == kNoId) return false;
      coloring_[item] = color;
      take_from_neighbours(item, color);
    }
    return true;
  }

  Coloring result() { return std::move(coloring_); }

 private:
  std::uint64_t& taken(std::uint32_t item, std::size_t word) { return taken_[word * problem_.items() + item]; }

  std::uint32_t lowest_color(std::uint32_t item) {
    for (std::size_t w = 0; w < words_; ++w) {
      const auto ones = static_cast<std::uint32_t>(std::countr_one(taken(item, w)));
      if (ones < 64) return static_cast<std::uint32_t>(w * 64) + ones;
    }
    return kNoId;
  }

  void take_from_neighbours(std::uint32_t item, std::uint32_t color) {
    const std::uint64_t bit = std::uint64_t{1} << (color % 64);
    for (std::uint32_t i = problem_.item_begin[item]; i < problem_.item_begin[item + 1]; ++i) {
      const std::uint32_t link = problem_.item_links[i];
      for (std::uint32_t j = problem_.link_begin[link]; j < link_end_[link];) {
        const std::uint32_t other = link_items_[j];
        if (coloring_[other] != kNoId) {
          link_items_[j] = link_items_[--link_end_[link]];
          continue;
        }
        ++j;
        if (std::uint64_t& word = taken(other, color / 64); (word & bit) == 0) {
          word |= bit;
          heap_.raise(other, std::uint64_t{1} << 32);
        }
      }
    }
  }

  const ColoringProblem& problem_;
  std::size_t words_;
  std::vector<std::uint64_t> taken_;  // bit vectors of the neighbours' colours, word by word of all items
  IndexedHeap heap_;
  std::vector<std::uint32_t> link_items_;  // as in the problem, coloured items dropped
  std::vector<std::uint32_t> link_end_;
  Coloring coloring_;
};

}  // namespace

Coloring dsatur_coloring(const ColoringProblem& problem) {
  for (std::size_t words = problem.lower_bound / 32 + 1;; words *= 2) {
    Dsatur dsatur(problem, words);
    if (dsatur.run()) return dsatur.result();
  }
}

extern const Allocator kDsatur;
constinit const Allocator kDsatur{
    .name = "dsatur",
    .meaning = "the flow with the fewest slots left first (Brelaz 1979)",
    .order = longest_first_order,
    .color = [](const ColoringProblem& problem, const AllocationOptions&) { return dsatur_coloring(problem); },
};

}  // namespace weft
