#include "algorithms/slots/circuit_plan.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

// Cycles from the host to the host for each lane, walking from the ejection edge back to the injection edge.
std::vector<Cycle> transit_of(const CircuitTree& tree, const FlowSlots& slots, std::size_t tree_index,
                              std::uint32_t ejection, const TdmTiming& timing) {
  std::vector<Cycle> transit(slots.lanes(tree_index, 0).size(),
                             timing.pipeline + timing.adapter(tree.edges[ejection].link));
  for (auto edge = static_cast<std::int32_t>(ejection); tree.edges[static_cast<std::size_t>(edge)].parent >= 0;) {
    const std::int32_t parent = tree.edges[static_cast<std::size_t>(edge)].parent;
    const std::vector<Slot>& from = slots.lanes(tree_index, static_cast<std::size_t>(parent));
    const std::vector<Slot>& to = slots.lanes(tree_index, static_cast<std::size_t>(edge));
    const Cycle latency =
        (parent == 0 ? 0 : timing.link()) + timing.adapter(tree.edges[static_cast<std::size_t>(parent)].link);
    for (std::size_t k = 0; k < transit.size(); ++k) transit[k] += hop_cycles(from[k], to[k], latency, timing.slots);
    edge = parent;
  }
  return transit;
}

std::uint32_t depth(const CircuitTree& tree, std::uint32_t edge) {
  std::uint32_t n = 0;
  for (auto e = static_cast<std::int32_t>(edge); e > 0; e = tree.edges[static_cast<std::size_t>(e)].parent) ++n;
  return n;
}

CircuitPlan plan_circuit(const Graph& graph, const Flow& flow, const FlowSlots& slots, std::size_t tree_index,
                         const TdmTiming& timing) {
  const CircuitTree& tree = flow.trees[tree_index];
  CircuitPlan plan;
  plan.tree = static_cast<std::uint32_t>(tree_index);
  plan.source = tree.source;
  plan.destinations = tree.destinations;
  const std::vector<Slot>& lanes = slots.lanes(tree_index, 0);
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lanes[a] < lanes[b]; });
  plan.injection.reserve(order.size());
  for (const std::size_t k : order) {
    plan.injection.push_back(lanes[k]);
    plan.node_links.push_back(graph.link_of_node(slots.link(tree_index, 0, k, tree.edges[0].link)));
  }
  for (const std::uint32_t ejection : tree.ejection_edge) {
    const std::vector<Cycle> by_lane = transit_of(tree, slots, tree_index, ejection, timing);
    std::vector<Cycle> by_slot;
    by_slot.reserve(order.size());
    for (const std::size_t k : order) by_slot.push_back(by_lane[k]);
    plan.transit.push_back(std::move(by_slot));
    plan.hops.push_back(depth(tree, ejection) - 1);
  }
  return plan;
}

}  // namespace

PhasePlan make_phase_plan(const Graph& graph, std::string name, std::vector<Flow> flows,
                          const AllocationOptions& options, const TdmTiming& timing, CircuitId first_circuit) {
  Allocation allocation = allocate(graph, flows, options);
  PhasePlan plan =
      make_phase_plan(graph, std::move(name), std::move(flows), std::move(allocation), options, timing, first_circuit);
  plan.slots_given = false;
  return plan;
}

PhasePlan make_phase_plan(const Graph& graph, std::string name, std::vector<Flow> flows, Allocation given,
                          const AllocationOptions& options, const TdmTiming& timing, CircuitId first_circuit) {
  PhasePlan plan;
  plan.name = std::move(name);
  plan.flows = std::move(flows);
  plan.options = options;
  plan.minimum = minimum_slots(graph, plan.flows);
  plan.allocation = std::move(given);
  plan.slots_given = true;
  check_allocation(graph, plan.flows, options, plan.allocation);
  plan.tables = make_slot_tables(graph, plan.flows, plan.allocation, options.slots);
  for (std::size_t f = 0; f < plan.flows.size(); ++f) {
    for (std::size_t t = 0; t < plan.flows[f].trees.size(); ++t) {
      CircuitPlan circuit = plan_circuit(graph, plan.flows[f], plan.allocation.flows[f], t, timing);
      circuit.flow = static_cast<std::uint32_t>(f);
      circuit.id = first_circuit + static_cast<CircuitId>(plan.circuits.size());
      plan.circuits.push_back(std::move(circuit));
    }
  }
  return plan;
}

std::vector<std::uint32_t> reserved_slots(const Graph& graph, const PhasePlan& plan) {
  if (plan.allocation.flows.size() != plan.flows.size()) return link_loads(graph, plan.flows);
  std::vector<std::uint32_t> slots(graph.link_count());
  for (std::size_t f = 0; f < plan.flows.size(); ++f) {
    const FlowSlots& own = plan.allocation.flows[f];
    for (std::size_t t = 0; t < plan.flows[f].trees.size(); ++t) {
      const std::vector<TreeEdge>& edges = plan.flows[f].trees[t].edges;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        for (std::size_t k = 0; k < own.lanes(t, e).size(); ++k) ++slots[own.link(t, e, k, edges[e].link)];
      }
    }
  }
  return slots;
}

PhasePlan make_open_plan(std::string name, std::vector<Flow> flows) {
  PhasePlan plan;
  plan.name = std::move(name);
  plan.flows = std::move(flows);
  for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
    for (std::uint32_t t = 0; t < plan.flows[f].trees.size(); ++t) {
      CircuitPlan circuit;
      circuit.id = static_cast<CircuitId>(plan.circuits.size());
      circuit.flow = f;
      circuit.tree = t;
      circuit.source = plan.flows[f].trees[t].source;
      circuit.destinations = plan.flows[f].trees[t].destinations;
      plan.circuits.push_back(std::move(circuit));
    }
  }
  return plan;
}

}  // namespace weft
