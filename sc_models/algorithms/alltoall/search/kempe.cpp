#include "algorithms/alltoall/search/slot_moves.h"

#include <cmath>
#include <numeric>
#include <vector>

namespace weft::alltoall {
namespace {

class Chains {
 public:
  Chains(const Schedule& schedule, RandomStream& random)
      : schedule_(schedule),
        resources_(schedule.grid),
        nodes_(schedule.grid.nodes()),
        random_(random),
        user_(std::size_t{schedule.slots} * resources_.count(), kNoSlot),
        in_chain_(schedule.slot_of.size()),
        size_(schedule.slots),
        used_(schedule.slots) {
    std::iota(used_.begin(), used_.end(), 0U);
    for (std::uint32_t c = 0; c < schedule.slot_of.size(); ++c) {
      if (schedule.slot_of[c] != kNoSlot) put(c, schedule.slot_of[c]);
    }
  }

  std::uint32_t slots() const { return static_cast<std::uint32_t>(used_.size()); }

  /// Exchanges the chain of a random connection and another slot, or does not.
  void step(double temperature) {
    const std::uint32_t c = random_connection();
    const std::uint32_t from = schedule_.slot_of[c];
    const std::uint32_t to = used_[random_.below(used_.size())];
    if (to == from) return;
    collect(c, from, to);
    std::int64_t leaving = 0;
    for (const std::uint32_t m : chain_) leaving += schedule_.slot_of[m] == from ? 1 : -1;
    const std::int64_t a = size_[from], b = size_[to];
    const std::int64_t gain = (a - leaving) * (a - leaving) + (b + leaving) * (b + leaving) - a * a - b * b;
    if (gain < 0 && random_.uniform() >= std::exp(static_cast<double>(gain) / temperature)) return;
    exchange(from, to);
    if (size_[from] == 0) std::erase(used_, from);
    if (size_[to] == 0) std::erase(used_, to);
  }

  /// The schedule with its slots numbered without gaps.
  Schedule schedule() const {
    Schedule out = schedule_;
    out.slots = slots();
    std::vector<std::uint32_t> number(size_.size(), kNoSlot);
    for (std::uint32_t i = 0; i < used_.size(); ++i) number[used_[i]] = i;
    for (std::uint32_t& slot : out.slot_of) {
      if (slot != kNoSlot) slot = number[slot];
    }
    return out;
  }

 private:
  std::uint32_t& user(std::uint32_t slot, std::uint32_t resource) {
    return user_[std::size_t{slot} * resources_.count() + resource];
  }
  template <class Visit>
  void visit(std::uint32_t c, Visit&& visit_one) const {
    resources_.visit(c / nodes_, c % nodes_, visit_one);
  }
  void put(std::uint32_t c, std::uint32_t slot) {
    schedule_.slot_of[c] = slot;
    visit(c, [&](std::uint32_t r) { user(slot, r) = c; });
    ++size_[slot];
  }

  std::uint32_t random_connection() {
    const auto source = static_cast<std::uint32_t>(random_.below(nodes_));
    const auto other = static_cast<std::uint32_t>(random_.below(nodes_ - 1));
    return source * nodes_ + other + (other >= source ? 1 : 0);
  }

  /// Connections that change sides with a connection: those it meets over there, those that these meet here, and so on.
  void collect(std::uint32_t first, std::uint32_t from, std::uint32_t to) {
    chain_.assign(1, first);
    in_chain_[first] = ++chains_;
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const std::uint32_t c = chain_[i];
      const std::uint32_t opposite = schedule_.slot_of[c] == from ? to : from;
      visit(c, [&](std::uint32_t r) {
        const std::uint32_t other = user(opposite, r);
        if (other == kNoSlot || in_chain_[other] == chains_) return;
        in_chain_[other] = chains_;
        chain_.push_back(other);
      });
    }
  }

  void exchange(std::uint32_t from, std::uint32_t to) {
    for (const std::uint32_t c : chain_) {
      const std::uint32_t slot = schedule_.slot_of[c];
      visit(c, [&](std::uint32_t r) { user(slot, r) = kNoSlot; });
      --size_[slot];
    }
    for (const std::uint32_t c : chain_) put(c, schedule_.slot_of[c] == from ? to : from);
  }

  Schedule schedule_;
  const Resources resources_;
  std::uint32_t nodes_;
  RandomStream& random_;
  std::vector<std::uint32_t> user_;      // [slot][resource]: connection
  std::vector<std::uint64_t> in_chain_;  // by connection: number of the last chain it was in
  std::vector<std::uint32_t> size_;      // by slot: connections
  std::vector<std::uint32_t> used_;      // slots that are not empty
  std::vector<std::uint32_t> chain_;
  std::uint64_t chains_ = 0;
};

}  // namespace

void kempe(Schedule& schedule, std::uint32_t bound, std::uint64_t moves, double most_bytes, RandomStream& random,
           SearchBudget& budget) {
  if (slot_table_bytes(schedule.grid, schedule.slots) > most_bytes) return;
  // Moving one connection between slots of equal size costs 2. At the first temperature slots exchange freely what
  // keeps their sizes within a tenth of each other, at the last one only what gains.
  const double hot = 0.1 * static_cast<double>(schedule.grid.connections()) / schedule.slots, cold = 0.2;
  Chains chains(schedule, random);
  for (std::uint64_t i = 0; i < moves && schedule.slots > bound && budget.next(0); ++i) {
    chains.step(hot * std::pow(cold / hot, static_cast<double>(i) / static_cast<double>(moves)));
    if (chains.slots() < schedule.slots) schedule = chains.schedule();
  }
}

}  // namespace weft::alltoall
