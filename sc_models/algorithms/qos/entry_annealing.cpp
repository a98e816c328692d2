#include "algorithms/qos/entry_placement.h"

#include <algorithm>

#include "base/random.h"

namespace weft {
namespace {

constexpr int kStarts = 12;
constexpr std::uint64_t kStepsPerEntry = 600;  // of one start; in the largest tables all of them take half a second
// The chance that a step which makes the gaps longer by 1 in all is taken: falls from the first to the last, in 2^-16.
constexpr std::uint64_t kFirstChance = 40'000;
constexpr std::uint64_t kLastChance = 100;
constexpr std::uint32_t kReach = 4;  // positions that are exchanged are at most this far apart

class Annealing {
 public:
  Annealing(std::uint32_t entries, const std::vector<std::uint32_t>& distances)
      : entries_(entries),
        distances_(distances),
        owners_(entries, 0),
        steps_(kStepsPerEntry * entries),
        random_(1, "entry_annealing") {}

  bool run() {
    for (int start = 0; start < kStarts; ++start) {
      begin();
      if (cool()) return true;
    }
    return false;
  }
  const std::vector<std::size_t>& owners() const { return owners_; }

 private:
  // Each position to the SL that is due first.
  void begin() {
    std::vector<std::uint32_t> due = distances_;
    for (std::uint32_t p = 0; p < entries_; ++p) {
      const auto first = static_cast<std::size_t>(std::min_element(due.begin(), due.end()) - due.begin());
      owners_[p] = first;
      due[first] = p + distances_[first];
    }
    excess_ = 0;
    for (std::size_t i = 0; i < distances_.size(); ++i) excess_ += excess_of(i);
  }

  bool cool() {
    for (std::uint64_t step = 0; step < steps_ && excess_ > 0; ++step) {
      // Quadratic, so that most steps are taken at the low end.
      const std::uint64_t left = steps_ - step;
      const std::uint64_t chance = kLastChance + (kFirstChance - kLastChance) * left * left / (steps_ * steps_);
      const auto p = static_cast<std::uint32_t>(random_() % entries_);
      if (random_() % 2 == 0) {
        const std::size_t before = owners_[p];
        const std::int64_t change = give(p, random_() % distances_.size());
        if (!takes(change, chance)) give(p, before);
      } else {
        const auto q = static_cast<std::uint32_t>((p + 1 + random_() % kReach) % entries_);
        const std::int64_t change = exchange(p, q);
        if (!takes(change, chance)) exchange(p, q);
      }
    }
    return excess_ == 0;
  }

  bool takes(std::int64_t change, std::uint64_t chance) {
    std::uint64_t all = 1U << 16U;
    for (; change > 0 && all > 0; --change) all = all * chance >> 16U;
    return (random_() >> 48U) < all;
  }

  std::int64_t exchange(std::uint32_t p, std::uint32_t q) {
    const std::size_t first = owners_[p];
    const std::size_t second = owners_[q];
    const std::int64_t change = give(p, second);
    return change + give(q, first);
  }

  // Returns by how much the gaps get longer.
  std::int64_t give(std::uint32_t p, std::size_t to) {
    const std::size_t from = owners_[p];
    if (from == to) return 0;
    const std::int64_t change = cost_of_entry(to, p) - cost_of_entry(from, p);
    owners_[p] = to;
    excess_ += change;
    return change;
  }

  // What the SL's excess is with an entry at p, less what it is without one there.
  std::int64_t cost_of_entry(std::size_t i, std::uint32_t p) const {
    const std::uint32_t before = away(i, p, entries_ - 1);
    if (before == entries_) return over(i, entries_) - none();
    const std::uint32_t after = away(i, p, 1);
    return over(i, before) + over(i, after) - over(i, before + after);
  }

  // Positions from p to the SL's next entry in steps of `stride`, modulo N; N when it has none but the one at p.
  std::uint32_t away(std::size_t i, std::uint32_t p, std::uint32_t stride) const {
    std::uint32_t steps = 1;
    for (std::uint32_t q = (p + stride) % entries_; q != p && owners_[q] != i; q = (q + stride) % entries_) ++steps;
    return steps;
  }

  std::int64_t excess_of(std::size_t i) const {
    std::int64_t out = 0;
    bool any = false;
    for (std::uint32_t p = 0; p < entries_; ++p) {
      if (owners_[p] != i) continue;
      any = true;
      out += over(i, away(i, p, 1));
    }
    return any ? out : none();
  }
  std::int64_t over(std::size_t i, std::uint32_t gap) const {
    return gap > distances_[i] ? std::int64_t{gap} - distances_[i] : 0;
  }
  std::int64_t none() const { return 4 * std::int64_t{entries_}; }  // for an SL without an entry

  std::uint32_t entries_;
  const std::vector<std::uint32_t>& distances_;
  std::vector<std::size_t> owners_;
  std::uint64_t steps_;
  RandomStream random_;
  std::int64_t excess_ = 0;
};

}  // namespace

std::optional<std::vector<std::size_t>> anneal_table(std::uint32_t entries,
                                                     const std::vector<std::uint32_t>& distances) {
  Annealing annealing(entries, distances);
  if (!annealing.run()) return std::nullopt;
  return annealing.owners();
}

}  // namespace weft
