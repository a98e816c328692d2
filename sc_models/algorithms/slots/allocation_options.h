#pragma once
// Options of slot allocation (algorithms/slots/allocation.h).

#include <cstdint>

#include "algorithms/slots/allocator.h"
#include "base/units.h"

namespace weft {

struct AllocationOptions {
  Allocator allocator = Allocator::first_fit;
  std::uint32_t slots = 0;  ///< S: slots per frame
  bool slot_update = false;
  Cycle hop_latency = 0;                ///< C: cycles from a switch's output slot to the next switch's input register
  std::uint64_t search_iterations = 0;  ///< search: limit of tabu moves per number of slots tried
  std::uint64_t seed = 1;               ///< search
};

}  // namespace weft
