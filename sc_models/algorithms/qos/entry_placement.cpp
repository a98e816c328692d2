#include "algorithms/qos/entry_placement.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

constexpr std::uint32_t kSearchSteps = 300'000;  // a fraction of a second

// Depth-first search for positions, SL by SL in order of rising distance, each with exactly ceil(N / distance) entries.
// Candidates are tried in the order "lowest free first entry, then nearest to regular distances".
class EntrySearch {
 public:
  EntrySearch(std::uint32_t entries, const std::vector<std::uint32_t>& distances)
      : entries_(entries), taken_(entries, false), order_(distances.size()), levels_(distances.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
    for (std::size_t i = 0; i < distances.size(); ++i) {
      levels_[i].distance = std::min(distances[i], entries);
      levels_[i].count = least_entries(entries, distances[i]);
    }
  }

  bool run() { return place_level(0); }
  std::size_t blamed() const { return order_[std::min(deepest_, order_.size() - 1)]; }
  std::vector<std::vector<std::uint32_t>> positions() const {
    std::vector<std::vector<std::uint32_t>> out;
    out.reserve(levels_.size());
    for (const Level& level : levels_) out.push_back(level.positions);
    return out;
  }

 private:
  struct Level {
    std::uint32_t distance = 0;
    std::uint32_t count = 0;
    std::vector<std::uint32_t> positions;
  };

  bool place_level(std::size_t rank) {
    if (rank == order_.size()) return true;
    deepest_ = std::max(deepest_, rank);
    Level& level = levels_[order_[rank]];
    // Some entry lies in the first `distance` positions. Rotating the table changes nothing, so the first SL begins at
    // 0; nor does swapping two SLs of equal distance, so the later one begins later.
    std::uint32_t first = 0;
    std::uint32_t limit = rank == 0 ? 1 : level.distance;
    if (rank > 0) {
      const Level& before = levels_[order_[rank - 1]];
      if (before.distance == level.distance) first = before.positions.front() + 1;
    }
    for (; first < limit; ++first) {
      if (place_at(rank, level, first)) return true;
    }
    return false;
  }

  bool place_at(std::size_t rank, Level& level, std::uint32_t position) {
    if (taken_[position] || steps_ == kSearchSteps) return false;
    ++steps_;
    taken_[position] = true;
    level.positions.push_back(position);
    if (place_rest(rank, level)) return true;
    level.positions.pop_back();
    taken_[position] = false;
    return false;
  }

  bool place_rest(std::size_t rank, Level& level) {
    const auto placed = static_cast<std::uint32_t>(level.positions.size());
    const std::uint32_t first = level.positions.front();
    const std::uint32_t last = level.positions.back();
    if (placed == level.count) return first + entries_ - last <= level.distance && place_level(rank + 1);
    // The entries still to come, and the way around to the first one, must be within reach.
    const std::uint32_t reach = (level.count - placed) * level.distance;
    const std::uint32_t lowest = std::max(last + 1, first + entries_ > reach ? first + entries_ - reach : 0);
    const std::uint32_t highest = std::min(last + level.distance, entries_ - (level.count - placed));
    const std::uint32_t regular =
        std::clamp(first + placed * entries_ / level.count, lowest, std::max(lowest, highest));
    for (std::uint32_t away = 0; away <= level.distance; ++away) {
      if (regular + away <= highest && place_at(rank, level, regular + away)) return true;
      if (away > 0 && regular >= lowest + away && place_at(rank, level, regular - away)) return true;
    }
    return false;
  }

  std::uint32_t entries_;
  std::vector<bool> taken_;
  std::vector<std::size_t> order_;
  std::vector<Level> levels_;
  std::size_t deepest_ = 0;
  std::uint32_t steps_ = 0;
};

// The distances rounded down to a chain of divisors of N, each dividing the next, with the fewest entries in all.
// Entries at such distances always fit when their number does: an SL takes whole residue classes of its distance, and
// what is left consists of whole residue classes of every larger one.
class ChainRounding {
 public:
  explicit ChainRounding(const PlacementRequest& request) : request_(request) {
    chain_.push_back(1);
    extend();
  }
  bool fits() const { return least_ <= request_.entries; }
  const std::vector<std::uint32_t>& distances() const { return best_; }

 private:
  void extend() {
    const std::uint32_t last = chain_.back();
    if (last == request_.entries) return take();
    const std::uint32_t rest = request_.entries / last;
    for (std::uint32_t prime = 2; prime <= rest; ++prime) {
      bool is_prime = rest % prime == 0;
      for (std::uint32_t i = 2; i * i <= prime; ++i) is_prime = is_prime && prime % i != 0;
      if (!is_prime) continue;
      chain_.push_back(last * prime);
      extend();
      chain_.pop_back();
    }
  }

  void take() {
    std::vector<std::uint32_t> rounded;
    std::uint64_t needed = 0;
    for (const std::uint32_t distance : request_.distances) {
      rounded.push_back(*std::prev(std::upper_bound(chain_.begin(), chain_.end(), distance)));
      needed += request_.entries / rounded.back();
    }
    if (needed >= least_) return;
    least_ = needed;
    best_ = std::move(rounded);
  }

  const PlacementRequest& request_;
  std::vector<std::uint32_t> chain_;
  std::vector<std::uint32_t> best_;
  std::uint64_t least_ = UINT64_MAX;
};

std::optional<std::uint32_t> distance_that_fits(PlacementRequest request, std::size_t level) {
  for (std::uint32_t d = request.distances[level] + 1; d <= request.entries; ++d) {
    request.distances[level] = d;
    if (ChainRounding(request).fits()) return d;
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t least_entries(std::uint32_t entries, std::uint32_t distance) {
  return entries / distance + (entries % distance == 0 ? 0 : 1);
}

PlacementResult place_entries(const PlacementRequest& request) {
  EntrySearch search(request.entries, request.distances);
  if (search.run()) return {Placement{search.positions(), false}, {}};
  const ChainRounding rounding(request);
  if (rounding.fits()) {
    EntrySearch regular(request.entries, rounding.distances());
    regular.run();
    return {Placement{regular.positions(), true}, {}};
  }
  SequenceResult sequence = search_sequence(request.entries, request.distances);
  if (sequence.positions) return {Placement{std::move(*sequence.positions), true}, {}};
  const std::size_t level = search.blamed();
  return {{}, PlacementFailure{level, distance_that_fits(request, level), sequence.exhausted}};
}

}  // namespace weft
