#include "algorithms/slots/circuit_plan.h"

#include "algorithms/slots/slot_table.h"

namespace weft {

std::uint64_t plan_bytes(const PlanSize& size) {
  // Measured with tori of 32 x 32 to 200 x 200 switches and 64 or 1,024 slots.
  constexpr std::uint64_t kProgram = std::uint64_t{16} << 20;
  constexpr std::uint64_t kPort = 100;     // graph, headers of tables and of slot LUT vectors
  constexpr std::uint64_t kCircuit = 900;  // flow, tree, predictions, lines of the report
  constexpr std::uint64_t kEdge = 200;     // tree, lines of the slot tables as CSV and as text
  const std::uint64_t per_port = kPort + size.slots * sizeof(SlotTableEntry) + size.slots / 8;
  constexpr std::uint64_t kHop = 105;  // of a route that is kept
  return kProgram + size.ports * per_port + size.circuits * kCircuit + size.edges * (kEdge + size.routes * kHop);
}

}  // namespace weft
