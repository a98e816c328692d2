#include "algorithms/slots/conflict_graph.h"

#include <algorithm>
#include <limits>

namespace weft {
namespace {

class Tabu {
 public:
  Tabu(const ConflictGraph& graph, std::uint32_t colors, RandomStream& random, Coloring& coloring)
      : graph_(graph),
        colors_(colors),
        random_(random),
        coloring_(coloring),
        near_(graph.items() * colors),
        allowed_from_(graph.items() * colors),
        place_(graph.items(), kNoId) {
    for (std::uint32_t v = 0; v < graph.items(); ++v) {
      for (std::size_t j = graph.begin[v]; j < graph.begin[v + 1]; ++j) ++near(v, coloring[graph.neighbors[j]]);
    }
    for (std::uint32_t v = 0; v < graph.items(); ++v) {
      conflicts_ += near(v, coloring[v]);
      update_list(v);
    }
    conflicts_ /= 2;
    fewest_ = conflicts_;
  }

  bool run(std::uint64_t& iterations) {
    for (; conflicts_ > 0; --iterations, ++now_) {
      if (iterations == 0) return false;
      recolor(choose());
      fewest_ = std::min(fewest_, conflicts_);
    }
    return true;
  }

 private:
  struct Move {
    std::uint32_t item = kNoId;
    std::uint32_t color = 0;
    std::int64_t change = std::numeric_limits<std::int64_t>::max();  // of the number of conflicts
  };

  std::size_t cell(std::uint32_t v, std::uint32_t color) const { return std::size_t{v} * colors_ + color; }
  std::uint32_t& near(std::uint32_t v, std::uint32_t color) { return near_[cell(v, color)]; }

  /// Best move that is not forbidden, or forbidden but better than ever; one of equally good ones at random.
  Move choose() {
    Move best;
    std::uint64_t equal = 0;
    for (const std::uint32_t v : list_) {
      const std::uint32_t own = coloring_[v];
      const std::int64_t here = near(v, own);
      for (std::uint32_t c = 0; c < colors_; ++c) {
        const std::int64_t change = near_[cell(v, c)] - here;
        if (change > best.change || c == own) continue;
        if (allowed_from_[cell(v, c)] > now_ && conflicts_ + change >= fewest_) continue;
        if (change < best.change) equal = 0;
        if (random_() % ++equal == 0) best = {v, c, change};
      }
    }
    if (best.item != kNoId || colors_ < 2) return best;
    // Everything is forbidden: any conflicting item takes any other colour.
    const std::uint32_t v = list_[random_() % list_.size()];
    const auto c = static_cast<std::uint32_t>((coloring_[v] + 1 + random_() % (colors_ - 1)) % colors_);
    return {v, c, std::int64_t{near(v, c)} - near(v, coloring_[v])};
  }

  void recolor(const Move& move) {
    if (move.item == kNoId) return;  // one colour: nothing can be done
    const std::uint32_t old = coloring_[move.item];
    coloring_[move.item] = move.color;
    conflicts_ += move.change;
    for (std::size_t j = graph_.begin[move.item]; j < graph_.begin[move.item + 1]; ++j) {
      const std::uint32_t other = graph_.neighbors[j];
      --near(other, old);
      ++near(other, move.color);
      update_list(other);
    }
    update_list(move.item);
    const auto tenure = static_cast<std::uint64_t>(list_.size() * 6 / 10 + random_() % 10);
    allowed_from_[cell(move.item, old)] = now_ + 1 + tenure;
  }

  void update_list(std::uint32_t v) {
    const bool conflicting = near(v, coloring_[v]) > 0;
    if (conflicting == (place_[v] != kNoId)) return;
    if (conflicting) {
      place_[v] = static_cast<std::uint32_t>(list_.size());
      list_.push_back(v);
    } else {
      list_[place_[v]] = list_.back();
      place_[list_.back()] = place_[v];
      list_.pop_back();
      place_[v] = kNoId;
    }
  }

  const ConflictGraph& graph_;
  std::uint32_t colors_;
  RandomStream& random_;
  Coloring& coloring_;
  std::vector<std::uint32_t> near_;          // per item and colour: neighbours of that colour
  std::vector<std::uint64_t> allowed_from_;  // per item and colour: first move that may take it again
  std::vector<std::uint32_t> place_;         // position in list_, kNoId when without conflict
  std::vector<std::uint32_t> list_;          // conflicting items
  std::int64_t conflicts_ = 0;
  std::int64_t fewest_ = 0;
  std::uint64_t now_ = 1;
};

}  // namespace

bool tabu_coloring(const ConflictGraph& graph, std::uint32_t colors, std::uint64_t& iterations, RandomStream& random,
                   Coloring& coloring) {
  return Tabu(graph, colors, random, coloring).run(iterations);
}

}  // namespace weft
