#pragma once
// Memory that the plan of a set of circuits takes, estimated before it is made.

#include <cstdint>

namespace weft {

struct PlanSize {
  std::uint64_t ports = 0;     ///< of all switches
  std::uint64_t slots = 0;     ///< of a frame; 0 for circuits that get their slots during the run
  std::uint64_t circuits = 0;  ///< sources of all flows
  std::uint64_t edges = 0;     ///< links of all circuits
};

/// Bytes of the process that makes the plan and its report, within a factor of 1.5 from 20 MB on.
std::uint64_t plan_bytes(const PlanSize& size);

}  // namespace weft
