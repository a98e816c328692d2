#include "algorithms/slots/slot_lut_bank.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

SlotLutBank::SlotLutBank(const Graph& graph, std::uint32_t slots) : graph_(graph), slots_(slots) {
  luts_.reserve(graph.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) luts_.emplace_back(graph.ports(sw), slots);
}

LutRow lut_row(const Graph& graph, LinkId link) {
  if (graph.is_injection(link)) {
    const PortRef at = graph.entry(link);
    return {at.sw, std::uint32_t{graph.ports(at.sw)} + at.port};
  }
  const PortRef at = graph.driver(link);
  return {at.sw, at.port};
}

const SlotSet& SlotLutBank::free(LinkId link) const {
  const LutRow r = lut_row(graph_, link);
  return luts_[r.sw].free(r.row);
}

SlotSet SlotLutBank::query(LinkId link, SlotSet received) {
  const LutRow r = lut_row(graph_, link);
  return luts_[r.sw].request({SlotLutOp::query, r.row, std::move(received)}).free;
}

SlotSet SlotLutBank::query_bundle(LinkId link, const SlotSet& received) {
  if (graph_.bundle(link).empty()) return query(link, received);
  SlotSet any(slots_);
  for (const LinkId l : graph_.bundle(link)) any |= query(l, received);
  return any;
}

SlotSet SlotLutBank::query(const Flow& flow) {
  SlotSet vector = all();
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) vector = query_bundle(edge.link, vector);
  }
  return vector;
}

void SlotLutBank::change(SlotLutOp op, LinkId link, const SlotSet& slots) {
  const LutRow r = lut_row(graph_, link);
  if (luts_[r.sw].request({op, r.row, slots}).ok) return;
  throw RunError(fmt::format("slot LUT of sw[{}] refused to {} slots of link {}", r.sw,
                             op == SlotLutOp::reserve ? "reserve" : "release", graph_.link_name(link)));
}

void SlotLutBank::reserve(LinkId link, const SlotSet& slots) { change(SlotLutOp::reserve, link, slots); }
void SlotLutBank::release(LinkId link, const SlotSet& slots) { change(SlotLutOp::release, link, slots); }

void SlotLutBank::reserve(const Flow& flow, const SlotSet& slots) {
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) reserve(edge.link, slots);
  }
}

void SlotLutBank::release(const Flow& flow, const SlotSet& slots) {
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) release(edge.link, slots);
  }
}

std::vector<LinkId> SlotLutBank::reserve_in_bundle(LinkId link, const std::vector<Slot>& slots) {
  std::vector<LinkId> links;
  if (graph_.bundle(link).empty()) {
    reserve(link, make_slot_set(slots_, slots));
    return links;
  }
  for (const Slot s : slots) {
    const auto all = graph_.bundle(link);
    const auto at = std::find_if(all.begin(), all.end(), [&](LinkId l) { return free(l).test(s); });
    links.push_back(at == all.end() ? link : *at);
    reserve(links.back(), make_slot_set(slots_, {s}));
  }
  return links;
}

void SlotLutBank::reserve(const Flow& flow, FlowSlots& slots) {
  const bool choose = slots.links.empty();
  for (std::size_t t = 0; t < flow.trees.size(); ++t) {
    if (choose && graph_.has_bundles()) slots.links.emplace_back();
    for (std::size_t e = 0; e < flow.trees[t].edges.size(); ++e) {
      if (!choose) {
        change_lanes(SlotLutOp::reserve, flow, t, e, slots);
        continue;
      }
      std::vector<LinkId> links = reserve_in_bundle(flow.trees[t].edges[e].link, slots.lanes(t, e));
      if (graph_.has_bundles()) slots.links.back().push_back(std::move(links));
    }
  }
}

// Lane by lane, each on its link.
void SlotLutBank::change_lanes(SlotLutOp op, const Flow& flow, std::size_t tree, std::size_t edge,
                               const FlowSlots& slots) {
  const LinkId own = flow.trees[tree].edges[edge].link;
  const std::vector<Slot>& lanes = slots.lanes(tree, edge);
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    change(op, slots.link(tree, edge, k, own), make_slot_set(slots_, {lanes[k]}));
  }
}

void SlotLutBank::release(const Flow& flow, const FlowSlots& slots) {
  for (std::size_t t = 0; t < flow.trees.size(); ++t) {
    for (std::size_t e = 0; e < flow.trees[t].edges.size(); ++e) change_lanes(SlotLutOp::release, flow, t, e, slots);
  }
}

}  // namespace weft
