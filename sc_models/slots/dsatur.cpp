// DSATUR (Brelaz, "New methods to color the vertices of a graph", CACM 1979) on items and links.

#include <algorithm>
#include <bit>
#include <queue>
#include <tuple>

#include "slots/coloring.h"

namespace weft {
namespace {

/// Item to colour next: most colours taken by its neighbours, then most conflicts, then lowest number.
struct Candidate {
  std::uint32_t taken;
  std::uint32_t conflicts;
  std::uint32_t item;
  bool operator<(const Candidate& other) const {
    return std::tie(taken, conflicts, other.item) < std::tie(other.taken, other.conflicts, item);
  }
};

class Dsatur {
 public:
  Dsatur(const ColoringProblem& problem, std::size_t words)
      : problem_(problem),
        words_(words),
        taken_(problem.items() * words),
        taken_count_(problem.items()),
        conflicts_(problem.items()),
        coloring_(problem.items(), kNoId) {
    ConflictWalk walk(problem);
    for (std::uint32_t item = 0; item < problem.items(); ++item) {
      walk.visit(item, [this, item](std::uint32_t) { ++conflicts_[item]; });
    }
  }

  /// False when the colours do not fit the bit vectors.
  bool run() {
    for (std::uint32_t item = 0; item < problem_.items(); ++item) push(item);
    while (!queue_.empty()) {
      const Candidate top = queue_.top();
      queue_.pop();
      // Entries stay when an item moves up; the one that tells the present number of taken colours is the
      // valid one.
      if (taken_count_[top.item] != top.taken) continue;
      const std::uint32_t color = lowest_color(top.item);
      if (color == kNoId) return false;
      coloring_[top.item] = color;
      take_from_neighbours(top.item, color);
    }
    return true;
  }

  Coloring result() { return std::move(coloring_); }

 private:
  void push(std::uint32_t item) { queue_.push({taken_count_[item], conflicts_[item], item}); }

  std::uint32_t lowest_color(std::uint32_t item) const {
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t word = taken_[item * words_ + w];
      if (word != ~std::uint64_t{0})
        return static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_one(word));
    }
    return kNoId;
  }

  void take_from_neighbours(std::uint32_t item, std::uint32_t color) {
    const std::uint64_t bit = std::uint64_t{1} << (color % 64);
    for (std::uint32_t i = problem_.item_begin[item]; i < problem_.item_begin[item + 1]; ++i) {
      const std::uint32_t link = problem_.item_links[i];
      for (std::uint32_t j = problem_.link_begin[link]; j < problem_.link_begin[link + 1]; ++j) {
        const std::uint32_t other = problem_.link_items[j];
        std::uint64_t& word = taken_[other * words_ + color / 64];
        if (coloring_[other] != kNoId || (word & bit) != 0) continue;
        word |= bit;
        ++taken_count_[other];
        push(other);
      }
    }
  }

  const ColoringProblem& problem_;
  std::size_t words_;
  std::vector<std::uint64_t> taken_;  // bit vector of the neighbours' colours, per item
  std::vector<std::uint32_t> taken_count_;
  std::vector<std::uint32_t> conflicts_;  // conflicting items, per item
  std::priority_queue<Candidate> queue_;
  Coloring coloring_;
};

}  // namespace

Coloring dsatur_coloring(const ColoringProblem& problem) {
  for (std::size_t words = problem.lower_bound / 32 + 1;; words *= 2) {
    Dsatur dsatur(problem, words);
    if (dsatur.run()) return dsatur.result();
  }
}

}  // namespace weft
