#pragma once
// Queues of one direction between two nodes, first in, first out: of messages that have no receive yet, or of receives
// that have no message yet. Only queues that hold something take memory: programs of n nodes have n^2 pairs of nodes,
// nearly all of them idle.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace weft::collectives {

/// Open addressing with linear probing; the entries of a queue are linked. Once a run is warm nothing is allocated.
template <class Entry>
class UnmatchedQueues {
 public:
  void push(NodeId source, NodeId destination, const Entry& entry) {
    const std::uint32_t number = place(entry);
    if ((used_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[find(key(source, destination))];
    if (slot.first == kNone) {
      slot = {key(source, destination), number, number};
      ++used_;
    } else {
      entries_[slot.last].next = number;
      slot.last = number;
    }
  }
  /// Takes the first one out into `entry`; false when there is none.
  bool pop(NodeId source, NodeId destination, Entry& entry) {
    if (used_ == 0) return false;
    const std::size_t at = find(key(source, destination));
    Slot& slot = slots_[at];
    if (slot.first == kNone) return false;
    const std::uint32_t number = slot.first;
    entry = entries_[number].entry;
    slot.first = entries_[number].next;
    entries_[number].next = free_;
    free_ = number;
    if (slot.first == kNone) erase(at);
    return true;
  }
  bool empty() const { return used_ == 0; }
  /// visit(source, destination, entry), of a pair of nodes in the order of its queue, pairs in no particular order.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const Slot& s : slots_) {
      for (std::uint32_t i = s.first; i != kNone; i = entries_[i].next) {
        visit(static_cast<NodeId>(s.key >> 32), static_cast<NodeId>(s.key), entries_[i].entry);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t first = kNone;  // kNone: the slot is free
    std::uint32_t last = kNone;
  };
  struct Linked {
    Entry entry;
    std::uint32_t next = kNone;
  };

  static std::uint64_t key(NodeId source, NodeId destination) {
    return static_cast<std::uint64_t>(source) << 32 | destination;
  }
  std::size_t home(std::uint64_t k) const { return static_cast<std::size_t>(k * 0x9e3779b97f4a7c15ULL >> shift_); }
  std::size_t after(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  /// The slot of the key, or the free one where it belongs.
  std::size_t find(std::uint64_t k) const {
    std::size_t at = home(k);
    while (slots_[at].first != kNone && slots_[at].key != k) at = after(at);
    return at;
  }
  std::uint32_t place(const Entry& entry) {
    if (free_ == kNone) {
      entries_.push_back({entry});
      return static_cast<std::uint32_t>(entries_.size() - 1);
    }
    const std::uint32_t number = free_;
    free_ = entries_[number].next;
    entries_[number] = {entry};
    return number;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    shift_ = old.empty() ? 60 : shift_ - 1;
    for (const Slot& s : old) {
      if (s.first != kNone) slots_[find(s.key)] = s;
    }
  }
  // The slots behind the hole move up as far as their home allows, so that no search ends too early.
  void erase(std::size_t hole) {
    --used_;
    for (std::size_t at = after(hole); slots_[at].first != kNone; at = after(at)) {
      const std::size_t mask = slots_.size() - 1;
      if (((at - home(slots_[at].key)) & mask) < ((at - hole) & mask)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
  }

  std::vector<Slot> slots_;  // a power of two, at most half of them in use
  std::vector<Linked> entries_;
  std::uint32_t free_ = kNone;  // the first entry that is free
  unsigned shift_ = 60;         // 64 - log2 of the number of slots
  std::size_t used_ = 0;
};

}  // namespace weft::collectives
