#include "algorithms/alltoall/tdm_tables.h"

#include <fmt/format.h>

#include "algorithms/slots/slot_table.h"
#include "network/routing/dimension_order.h"
#include "network/routing/routing_config.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "network/topology/topology.h"

namespace weft::alltoall {

ScheduledCircuits circuits_of(const Schedule& schedule, const Graph& graph, const CircuitRouting& routing,
                              const Location& where) {
  const std::uint32_t nodes = schedule.grid.nodes();
  ScheduledCircuits out;
  Diagnostics diagnostics;
  for (NodeId s = 0; s < nodes; ++s) {
    for (NodeId d = 0; d < nodes; ++d) {
      if (s == d) continue;
      out.flows.push_back(make_flow(graph, routing, fmt::format("{}-{}", s, d), "", 1, {{s, d}}, where, diagnostics));
      const auto slot = static_cast<Slot>(schedule.slot_of[std::size_t{s} * nodes + d]);
      out.allocation.flows.push_back({{slot}, {}});
    }
  }
  diagnostics.throw_if_errors();
  out.allocation.slots_used = schedule.slots;
  return out;
}

SlotTableTexts slot_table_texts(const Schedule& schedule) {
  const Grid& grid = schedule.grid;
  const TopologyConfig topology =
      topology_config(grid.torus ? "torus" : "mesh", {{"dims", std::vector{grid.width, grid.height}}});
  RoutingConfig order;
  if (grid.order == RouteOrder::kYFirst) order.order = {1, 0};
  const Graph graph = build_topology(topology);
  const std::unique_ptr<CircuitRouting> routing = make_dimension_order(order, graph);
  const ScheduledCircuits circuits = circuits_of(schedule, graph, *routing, {});
  return {slot_tables_csv(graph, circuits.flows, circuits.allocation, schedule.slots),
          slot_tables_text(graph, circuits.flows, circuits.allocation, schedule.slots)};
}

}  // namespace weft::alltoall
