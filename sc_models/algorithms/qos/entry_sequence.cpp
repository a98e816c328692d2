#include "algorithms/qos/entry_placement.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>

namespace weft {
namespace {

using Positions = std::vector<std::vector<std::uint32_t>>;

constexpr std::uint32_t kSteps = 200'000;  // a fraction of a second

class Sequence {
 public:
  Sequence(std::uint32_t entries, const std::vector<std::uint32_t>& distances)
      : entries_(entries), distances_(distances), positions_(distances.size()) {}

  bool run() {
    // Rotating the table changes nothing: it begins with the SL of the smallest distance.
    const auto smallest = std::min_element(distances_.begin(), distances_.end()) - distances_.begin();
    positions_[static_cast<std::size_t>(smallest)].push_back(0);
    return place(1);
  }
  bool gave_up() const { return steps_ == kSteps; }
  const Positions& positions() const { return positions_; }

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
    if (steps_ == kSteps || !failed_.insert(state(position)).second) return false;
    ++steps_;
    for (const std::size_t i : order) {
      positions_[i].push_back(position);
      if (place(position + 1)) return true;
      positions_[i].pop_back();
    }
    return false;
  }

  // All that what is to come depends on: which SLs must come when, and how the table began for those not yet closed.
  std::u16string state(std::uint32_t position) const {
    std::u16string out(1, static_cast<char16_t>(position));
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      const std::uint32_t at = due(i) + 1;
      out += static_cast<char16_t>(closed(i) ? 0 : at);
      out += static_cast<char16_t>(closed(i) || positions_[i].empty() ? entries_ : positions_[i].front());
    }
    return out;
  }

  std::uint32_t entries_;
  const std::vector<std::uint32_t>& distances_;
  Positions positions_;
  std::unordered_set<std::u16string> failed_;  // with those being tried
  std::uint32_t steps_ = 0;
};

Positions without_needless(std::uint32_t entries, const std::vector<std::uint32_t>& distances, Positions positions) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::vector<std::uint32_t>& p = positions[i];
    for (std::size_t e = 0; e < p.size() && p.size() > 1;) {
      const std::uint32_t before = e == 0 ? p.back() : p[e - 1];
      const std::uint32_t after = e + 1 == p.size() ? p.front() : p[e + 1];
      const std::uint32_t gap = (after + entries - before - 1) % entries + 1;
      if (gap <= distances[i]) {
        p.erase(p.begin() + static_cast<std::ptrdiff_t>(e));
      } else {
        ++e;
      }
    }
  }
  return positions;
}

}  // namespace

SequenceResult search_sequence(std::uint32_t entries, std::vector<std::uint32_t> distances) {
  for (std::uint32_t& d : distances) d = std::min(d, entries);
  Sequence sequence(entries, distances);
  if (sequence.run()) return {without_needless(entries, distances, sequence.positions()), false};
  if (!sequence.gave_up()) return {std::nullopt, true};
  const std::optional<std::vector<std::size_t>> owners = anneal_table(entries, distances);
  if (!owners) return {std::nullopt, false};
  Positions positions(distances.size());
  for (std::uint32_t p = 0; p < entries; ++p) positions[(*owners)[p]].push_back(p);
  return {without_needless(entries, distances, std::move(positions)), false};
}

}  // namespace weft
