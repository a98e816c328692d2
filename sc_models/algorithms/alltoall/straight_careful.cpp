// The careful method of straight.h.

#include <algorithm>
#include <bit>

#include "algorithms/alltoall/straight.h"
#include "base/random.h"

namespace weft::alltoall {
namespace {

using Word = std::uint64_t;
constexpr std::uint32_t kSlotWordBits = 64;
constexpr std::uint64_t kTries = 8;  // with different ties

struct Open {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t resources = 0;  // how many it holds
  std::uint32_t free = 0;       // slots in which it still fits
  std::uint64_t tie = 0;
};

class Careful {
 public:
  Careful(const LinePatterns& rows, const LinePatterns& columns, std::uint32_t extra, const GroupsSchedule& groups)
      : rows_(rows),
        columns_(columns),
        grid_(groups.schedule.grid),
        resources_(grid_),
        slots_(groups.group_slots + extra),
        words_((slots_ + kSlotWordBits - 1) / kSlotWordBits),
        group_slots_(groups.group_slots),
        slot_of_(groups.schedule.slot_of),
        taken_(std::size_t{resources_.count()} * words_) {
    for (std::size_t c = 0; c < slot_of_.size(); ++c) {
      if (slot_of_[c] != kNoSlot) take(source(c), destination(c), slot_of_[c]);
    }
  }

  // `halves`: the longest patterns of rows and columns are put into extra slots together first, by their formula; not
  // on a line, which has no two to put together.
  bool run(std::uint64_t seed, bool halves) {
    if (halves) place_halves();
    collect(seed);
    for (std::size_t left = open_.size(); left > 0; --left) {
      const auto next = std::min_element(open_.begin(), open_.end(), [](const Open& a, const Open& b) {
        if (a.free != b.free) return a.free < b.free;
        if (a.resources != b.resources) return a.resources > b.resources;
        return a.tie < b.tie;
      });
      if (next->free == 0) return false;
      settle(static_cast<std::size_t>(next - open_.begin()));
    }
    return true;
  }

  std::vector<std::uint32_t>& slots() { return slot_of_; }

 private:
  static constexpr std::uint32_t kDone = ~std::uint32_t{0};

  std::uint32_t source(std::size_t c) const { return static_cast<std::uint32_t>(c / grid_.nodes()); }
  std::uint32_t destination(std::size_t c) const { return static_cast<std::uint32_t>(c % grid_.nodes()); }
  Word& taken(std::uint32_t resource, std::uint32_t slot) {
    return taken_[std::size_t{resource} * words_ + slot / kSlotWordBits];
  }
  static Word bit(std::uint32_t slot) { return Word{1} << slot % kSlotWordBits; }

  void take(std::uint32_t s, std::uint32_t d, std::uint32_t slot) {
    resources_.visit(s, d, [&](std::uint32_t r) { taken(r, slot) |= bit(slot); });
  }

  // The column's pattern one colour behind the row's, so that no node sends in both.
  void place_halves() {
    const std::uint32_t a = grid_.width / 2, b = grid_.height / 2;
    const std::uint32_t degree = std::max(rows_.degree(a), columns_.degree(b));
    if (slots_ < group_slots_ + degree) return;
    for (std::uint32_t y = 0; y < grid_.height; ++y) {
      for (std::uint32_t x = 0; x < grid_.width; ++x) {
        const std::uint32_t colour = rows_.colour(a, x) + columns_.colour(b, y);
        place_if_free(grid_.node(x, y), grid_.node((x + a) % grid_.width, y), group_slots_ + colour % degree);
        place_if_free(grid_.node(x, y), grid_.node(x, (y + b) % grid_.height), group_slots_ + (colour + 1) % degree);
      }
    }
  }

  void place_if_free(std::uint32_t s, std::uint32_t d, std::uint32_t slot) {
    bool free = true;
    resources_.visit(s, d, [&](std::uint32_t r) { free = free && (taken(r, slot) & bit(slot)) == 0; });
    if (!free) return;
    take(s, d, slot);
    slot_of_[std::size_t{s} * grid_.nodes() + d] = slot;
  }

  void collect(std::uint64_t seed) {
    RandomStream random(seed, "alltoall.straight");
    users_.assign(resources_.count(), {});
    for (std::size_t c = 0; c < slot_of_.size(); ++c) {
      if (slot_of_[c] != kNoSlot || source(c) == destination(c)) continue;
      Open o{source(c), destination(c), 0, 0, random()};
      const std::size_t at = free_.size();
      free_.resize(at + words_, ~Word{0});
      if (slots_ % kSlotWordBits != 0) free_.back() = bit(slots_) - 1;
      resources_.visit(o.source, o.destination, [&](std::uint32_t r) {
        ++o.resources;
        users_[r].push_back(static_cast<std::uint32_t>(open_.size()));
        for (std::uint32_t k = 0; k < words_; ++k) free_[at + k] &= ~taken_[std::size_t{r} * words_ + k];
      });
      for (std::uint32_t k = 0; k < words_; ++k) o.free += static_cast<std::uint32_t>(std::popcount(free_[at + k]));
      open_.push_back(o);
    }
  }

  // Gives connection i the free slot that fewest others still want.
  void settle(std::size_t i) {
    std::vector<std::uint32_t> wanted(slots_);
    const Open chosen = open_[i];
    const Word* const mine = &free_[i * words_];
    open_[i].free = kDone;
    resources_.visit(chosen.source, chosen.destination, [&](std::uint32_t r) {
      for (const std::uint32_t j : users_[r]) {
        if (open_[j].free == kDone) continue;
        for (std::uint32_t k = 0; k < words_; ++k) {
          for (Word common = mine[k] & free_[j * words_ + k]; common != 0; common &= common - 1) {
            ++wanted[k * kSlotWordBits + static_cast<std::uint32_t>(std::countr_zero(common))];
          }
        }
      }
    });
    std::uint32_t slot = kNoSlot;
    for (std::uint32_t s = 0; s < slots_; ++s) {
      if ((mine[s / kSlotWordBits] & bit(s)) != 0 && (slot == kNoSlot || wanted[s] < wanted[slot])) slot = s;
    }
    resources_.visit(chosen.source, chosen.destination, [&](std::uint32_t r) {
      for (const std::uint32_t j : users_[r]) {
        Word& word = free_[j * words_ + slot / kSlotWordBits];
        if (open_[j].free == kDone || (word & bit(slot)) == 0) continue;
        word &= ~bit(slot);
        --open_[j].free;
      }
    });
    slot_of_[std::size_t{chosen.source} * grid_.nodes() + chosen.destination] = slot;
  }

  const LinePatterns& rows_;
  const LinePatterns& columns_;
  const Grid grid_;
  const Resources resources_;
  const std::uint32_t slots_;
  const std::uint32_t words_;
  const std::uint32_t group_slots_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<Word> taken_;  // [resource][word of slots]
  std::vector<Open> open_;
  std::vector<Word> free_;                         // [open][word of slots]
  std::vector<std::vector<std::uint32_t>> users_;  // per resource
};

void commit(std::vector<std::uint32_t> slots, std::uint32_t extra, GroupsSchedule& result) {
  for (std::size_t c = 0; c < slots.size(); ++c) {
    if (slots[c] == kNoSlot || result.schedule.slot_of[c] != kNoSlot) continue;
    ++(slots[c] < result.group_slots ? result.riding : result.extra);
  }
  result.schedule.slot_of = std::move(slots);
  result.extra_slots = extra;
  result.schedule.slots = result.group_slots + extra;
}

}  // namespace

bool insert_carefully(const LinePatterns& rows, const LinePatterns& columns, std::uint32_t extra,
                      GroupsSchedule& result) {
  const bool line = result.schedule.grid.is_line();
  for (std::uint64_t seed = 0; seed < kTries; ++seed) {
    for (const bool halves : {true, false}) {
      if (halves && line) continue;
      Careful careful(rows, columns, extra, result);
      if (!careful.run(seed, halves)) continue;
      commit(std::move(careful.slots()), extra, result);
      return true;
    }
  }
  return false;
}

}  // namespace weft::alltoall
