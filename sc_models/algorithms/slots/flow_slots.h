#pragma once
// Slots of a flow on the links of its trees: the result of slot allocation (algorithms/slots/allocation.h).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weft {

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
