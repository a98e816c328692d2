#include "algorithms/alltoall/tdm_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/slots/slot_table.h"
#include "network/routing/dimension_order.h"
#include "network/routing/routing_config.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "network/topology/topology.h"

namespace weft::alltoall {

LaneLinks links_of_channel(const Graph& graph, const Flow& flow, std::uint32_t channel) {
  LaneLinks out(1);
  for (const TreeEdge& edge : flow.trees.front().edges) {
    const auto bundle = graph.bundle(edge.link);
    out.front().emplace_back();
    if (!bundle.empty()) out.front().back().push_back(bundle[channel]);
  }
  return out;
}

ScheduledCircuits circuits_of(const Schedule& schedule, const ChannelPlan* plan, const Graph& graph,
                              const CircuitRouting& routing, const Location& where) {
  const std::uint32_t nodes = schedule.grid.nodes();
  ScheduledCircuits out;
  Diagnostics diagnostics;
  for (NodeId s = 0; s < nodes; ++s) {
    for (NodeId d = 0; d < nodes; ++d) {
      if (s == d) continue;
      out.flows.push_back(make_flow(graph, routing, fmt::format("{}-{}", s, d), "", 1, {{s, d}}, where, diagnostics));
      const std::uint32_t slot = schedule.slot_of[std::size_t{s} * nodes + d];
      const auto time = static_cast<Slot>(plan == nullptr ? slot : plan->time[slot]);
      out.allocation.flows.push_back({{time}, {}});
      out.allocation.slots_used = std::max<std::uint32_t>(out.allocation.slots_used, time + 1U);
      if (!graph.has_bundles()) continue;
      out.allocation.flows.back().links =
          links_of_channel(graph, out.flows.back(), plan == nullptr ? 0 : plan->channel[slot]);
    }
  }
  diagnostics.throw_if_errors();
  return out;
}

SlotTableTexts slot_table_texts(const Schedule& schedule, const ChannelPlan* plan) {
  const Grid& grid = schedule.grid;
  const std::uint32_t links = plan == nullptr ? 1 : plan->channels();
  const TopologyConfig topology =
      topology_config(grid.torus ? "torus" : "mesh",
                      {{"dims", std::vector{grid.width, grid.height}}, {"trunk", links}, {"node_links", links}});
  RoutingConfig order;
  if (grid.order == RouteOrder::kYFirst) order.order = {1, 0};
  Graph graph = build_topology(topology);
  graph.join_parallel_links();
  const std::unique_ptr<CircuitRouting> routing = make_dimension_order(order, graph);
  const ScheduledCircuits circuits = circuits_of(schedule, plan, graph, *routing, {});
  const std::uint32_t frame = plan == nullptr ? schedule.slots : plan->time_slots;
  return {slot_tables_csv(graph, circuits.flows, circuits.allocation, frame),
          slot_tables_text(graph, circuits.flows, circuits.allocation, frame)};
}

}  // namespace weft::alltoall
