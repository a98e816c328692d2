#include "algorithms/alltoall/search/slot_moves.h"

#include <algorithm>

namespace weft::alltoall {
namespace {

class Repacker {
 public:
  Repacker(const Schedule& schedule, RandomStream& random)
      : schedule_(schedule),
        resources_(schedule.grid),
        nodes_(schedule.grid.nodes()),
        random_(random),
        user_(std::size_t{schedule.slots} * resources_.count(), kNoSlot),
        left_(schedule.slot_of.size(), kNoSlot),
        free_from_(schedule.slot_of.size()),
        used_by_(schedule.slots) {
    for (std::uint32_t c = 0; c < schedule.slot_of.size(); ++c) {
      if (schedule.slot_of[c] != kNoSlot) put(c, schedule.slot_of[c]);
    }
  }

  const Schedule& schedule() const { return schedule_; }

  bool drop_slot(std::uint64_t moves, SearchBudget& budget) {
    drop(emptiest());
    for (; !waiting_.empty(); --moves, ++now_) {
      if (moves == 0 || !budget.next(waiting_.size())) return false;
      const std::size_t at = random_.below(waiting_.size());
      const std::uint32_t c = waiting_[at];
      waiting_[at] = waiting_.back();
      waiting_.pop_back();
      place(c);
    }
    return true;
  }

 private:
  template <class Visit>
  void visit(std::uint32_t c, Visit&& visit_one) const {
    resources_.visit(c / nodes_, c % nodes_, visit_one);
  }
  std::uint32_t& user(std::uint32_t slot, std::uint32_t resource) {
    return user_[std::size_t{slot} * resources_.count() + resource];
  }
  void put(std::uint32_t c, std::uint32_t slot) {
    schedule_.slot_of[c] = slot;
    visit(c, [&](std::uint32_t r) { user(slot, r) = c; });
    ++used_by_[slot];
  }
  void take(std::uint32_t c) {
    const std::uint32_t slot = schedule_.slot_of[c];
    schedule_.slot_of[c] = kNoSlot;
    visit(c, [&](std::uint32_t r) { user(slot, r) = kNoSlot; });
    --used_by_[slot];
    left_[c] = slot;
    free_from_[c] = now_ + 10 + random_.below(20) + waiting_.size();
    waiting_.push_back(c);
  }

  std::uint32_t emptiest() {
    std::uint32_t best = 0, equal = 0;
    for (std::uint32_t s = 0; s < schedule_.slots; ++s) {
      if (used_by_[s] > used_by_[best]) continue;
      if (used_by_[s] < used_by_[best]) equal = 0;
      if (random_.below(++equal) == 0) best = s;
    }
    return best;
  }

  /// Empties a slot and gives its number to the last one.
  void drop(std::uint32_t slot) {
    const std::uint32_t last = schedule_.slots - 1;
    std::vector<std::uint32_t> moved;
    for (std::uint32_t c = 0; c < schedule_.slot_of.size(); ++c) {
      if (schedule_.slot_of[c] == slot) take(c);
      if (schedule_.slot_of[c] == last) moved.push_back(c);
    }
    used_by_[slot] = 0;
    if (slot != last) {
      for (const std::uint32_t c : moved) put(c, slot);
    }
    schedule_.slots = last;
  }

  /// Into the slot where it pushes out the fewest others.
  void place(std::uint32_t c) {
    std::uint32_t best = static_cast<std::uint32_t>(random_.below(schedule_.slots)), equal = 0;
    std::size_t fewest = ~std::size_t{0};
    for (std::uint32_t s = 0; s < schedule_.slots; ++s) {
      if (s == left_[c] && now_ < free_from_[c]) continue;
      met_.clear();
      visit(c, [&](std::uint32_t r) {
        const std::uint32_t other = user(s, r);
        // What shares several links with the connection shares consecutive ones, or comes back at the receiver.
        if (other != kNoSlot && std::find(met_.begin(), met_.end(), other) == met_.end()) met_.push_back(other);
      });
      if (met_.size() > fewest) continue;
      if (met_.size() < fewest) equal = 0;
      fewest = met_.size();
      if (random_.below(++equal) == 0) best = s;
    }
    met_.clear();
    visit(c, [&](std::uint32_t r) {
      const std::uint32_t other = user(best, r);
      if (other == kNoSlot) return;
      if (std::find(met_.begin(), met_.end(), other) == met_.end()) met_.push_back(other);
    });
    for (const std::uint32_t other : met_) take(other);
    put(c, best);
  }

  Schedule schedule_;
  const Resources resources_;
  std::uint32_t nodes_;
  RandomStream& random_;
  std::vector<std::uint32_t> user_;       // [slot][resource]: connection
  std::vector<std::uint32_t> left_;       // by connection: slot that it was pushed out of
  std::vector<std::uint64_t> free_from_;  // by connection: when it may go back there
  std::vector<std::uint32_t> used_by_;    // by slot: connections
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> met_;
  std::uint64_t now_ = 0;
};

}  // namespace

void repack(Schedule& schedule, std::uint32_t bound, std::uint64_t moves, double most_bytes, RandomStream& random,
            SearchBudget& budget) {
  if (slot_table_bytes(schedule.grid, schedule.slots) > most_bytes) return;
  if (schedule.slots <= bound || budget.over()) return;
  Repacker repacker(schedule, random);
  while (schedule.slots > bound && repacker.drop_slot(moves, budget)) schedule = repacker.schedule();
}

}  // namespace weft::alltoall
