#include "qos/entry_sequence.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

constexpr std::uint32_t kSteps = 200'000;  // a fraction of a second

class Sequence {
 public:
  Sequence(std::uint32_t entries, const std::vector<std::uint32_t>& distances)
      : entries_(entries), distances_(distances), positions_(distances.size()) {
    for (std::uint32_t& d : distances_) d = std::min(d, entries);
  }

  bool run() {
    // Rotating the table changes nothing: it begins with the SL of the smallest distance.
    const auto smallest = std::min_element(distances_.begin(), distances_.end()) - distances_.begin();
    positions_[static_cast<std::size_t>(smallest)].push_back(0);
    return place(1);
  }
  bool gave_up() const { return steps_ == kSteps; }

  std::vector<std::vector<std::uint32_t>> without_needless() {
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      std::vector<std::uint32_t>& p = positions_[i];
      for (std::size_t e = 0; e < p.size() && p.size() > 1;) {
        const std::uint32_t before = e == 0 ? p.back() : p[e - 1];
        const std::uint32_t after = e + 1 == p.size() ? p.front() : p[e + 1];
        const std::uint32_t gap = (after + entries_ - before - 1) % entries_ + 1;
        if (gap <= distances_[i]) {
          p.erase(p.begin() + static_cast<std::ptrdiff_t>(e));
        } else {
          ++e;
        }
      }
    }
    return positions_;
  }

 private:
  // First position by which SL i must come again; beyond the table when its first entry comes around in time.
  std::uint32_t due(std::size_t i) const {
    if (positions_[i].empty()) return distances_[i] - 1;
    return positions_[i].back() + distances_[i];
  }
  bool closed(std::size_t i) const { return !positions_[i].empty() && positions_[i].front() + entries_ <= due(i); }

  bool place(std::uint32_t position) {
    std::vector<std::size_t> order(positions_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return due(a) < due(b); });
    std::uint32_t waiting = 0;  // SLs that need an entry up to some position; each takes one
    for (const std::size_t i : order) {
      if (closed(i)) continue;
      if (due(i) < position + waiting || position + waiting >= entries_) return false;
      ++waiting;
    }
    if (position == entries_) return true;
    if (steps_ == kSteps) return false;
    ++steps_;
    for (const std::size_t i : order) {
      positions_[i].push_back(position);
      if (place(position + 1)) return true;
      positions_[i].pop_back();
    }
    return false;
  }

  std::uint32_t entries_;
  std::vector<std::uint32_t> distances_;
  std::vector<std::vector<std::uint32_t>> positions_;
  std::uint32_t steps_ = 0;
};

}  // namespace

SequenceResult search_sequence(std::uint32_t entries, const std::vector<std::uint32_t>& distances) {
  Sequence sequence(entries, distances);
  if (sequence.run()) return {sequence.without_needless(), false};
  return {std::nullopt, !sequence.gave_up()};
}

}  // namespace weft
