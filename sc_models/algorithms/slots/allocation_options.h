#pragma once
// Options of slot allocation, and the slots that a flow gets (algorithms/slots/allocation.h).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "base/words.h"

namespace weft {

/// Slot allocators; allocation.h describes each.
enum class Allocator { first_fit, longest_first, dsatur, search };
template <>
inline constexpr auto kWords<Allocator> = words("first_fit", "longest_first", "dsatur", "search");

struct AllocationOptions {
  Allocator allocator = Allocator::first_fit;
  std::uint32_t slots = 0;  ///< S: slots per frame
  bool slot_update = false;
  Cycle hop_latency = 0;                ///< C: cycles from a switch's output slot to the next switch's input register
  std::uint64_t search_iterations = 0;  ///< search: limit of tabu moves per number of slots tried
  std::uint64_t seed = 1;               ///< search
};

/// Most slots a frame can have: slot numbers are 16 bits wide.
inline constexpr std::uint32_t kLargestFrame = 65535;

/// Slots of one flow. Lane k of a circuit uses slot lanes(t, e)[k] on edge e of tree t.
struct FlowSlots {
  std::vector<Slot> common;                              ///< same-slot mode: the m slots, ascending
  std::vector<std::vector<std::vector<Slot>>> per_edge;  ///< slot_update: [tree][edge][lane]
  const std::vector<Slot>& lanes(std::size_t tree, std::size_t edge) const {
    return per_edge.empty() ? common : per_edge[tree][edge];
  }
};

}  // namespace weft
