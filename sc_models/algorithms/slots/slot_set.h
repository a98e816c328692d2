#pragma once
// A set of time slots as a bit vector: bit s set = slot s is in the set. This is the paper's "slot LUT" vector (FiC
// paper, section III.D): switches AND such vectors along a route to find a slot that is free on every link.

#include <boost/dynamic_bitset.hpp>
#include <vector>

#include "base/ids.h"

namespace weft {

using SlotSet = boost::dynamic_bitset<std::uint64_t>;

inline SlotSet all_slots(std::uint32_t count) { return SlotSet(count).set(); }
inline SlotSet make_slot_set(std::uint32_t count, const std::vector<Slot>& slots) {
  SlotSet s(count);
  for (const Slot v : slots) s.set(v);
  return s;
}
/// Slots of a set, ascending.
inline std::vector<Slot> slot_list(const SlotSet& slots) {
  std::vector<Slot> list;
  for (auto s = slots.find_first(); s != SlotSet::npos; s = slots.find_next(s)) list.push_back(static_cast<Slot>(s));
  return list;
}

}  // namespace weft
