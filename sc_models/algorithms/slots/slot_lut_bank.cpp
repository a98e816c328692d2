#include "algorithms/slots/slot_lut_bank.h"

#include <fmt/format.h>

namespace weft {

SlotLutBank::SlotLutBank(const Graph& graph, std::uint32_t slots) : graph_(graph), slots_(slots) {
  luts_.reserve(graph.switches());
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) luts_.emplace_back(graph.ports(sw), slots);
}

LutRow lut_row(const Graph& graph, LinkId link) {
  if (graph.is_injection(link)) {
    const PortRef at = graph.attachment(link - graph.total_ports());
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

SlotSet SlotLutBank::query(const Flow& flow) {
  SlotSet vector = all();
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) vector = query(edge.link, std::move(vector));
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

}  // namespace weft
