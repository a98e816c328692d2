#include "algorithms/slots/slot_table.h"

#include <fmt/format.h>

#include "algorithms/slots/circuit_hops.h"

namespace weft {

std::vector<SlotTable> make_slot_tables(const Graph& graph, const std::vector<Flow>& flows,
                                        const Allocation& allocation, std::uint32_t slots) {
  std::vector<SlotTable> tables;
  tables.reserve(graph.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) tables.emplace_back(graph.ports(sw), slots);
  for_each_hop(graph, flows, allocation, [&](const CircuitHop& hop) {
    SlotTableEntry& entry = tables[hop.sw].at(hop.out_port, hop.out_slot);
    if (!entry.idle()) {
      throw RunError(fmt::format("slot table of sw[{}]: port {} slot {} is claimed twice, the second time by flow '{}'",
                                 hop.sw, hop.out_port, hop.out_slot, flows[hop.flow].name));
    }
    entry = {hop.in_port, hop.in_slot};
  });
  return tables;
}

}  // namespace weft
