#include "fabrics/tdm/setup/switch_resources.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {

SwitchResources::SwitchResources(const Graph& graph, SwitchId sw, SlotLutIf& lut, const SetupTiming& timing,
                                 LinkAvailability& links, OnLut on_lut)
    : ports_(graph.ports(sw)),
      sw_(sw),
      slots_(timing.slots),
      lut_(lut),
      links_(links),
      on_lut_(std::move(on_lut)),
      tables_(ports_, timing.slots, timing.column) {}

SlotLutResponse SwitchResources::ask(Cycle now, const SlotLutRequest& request, std::uint32_t flow) {
  SlotLutResponse response = lut_.request(request);
  on_lut_({now, sw_, request.row, request.op, flow, response.ok, static_cast<std::uint32_t>(response.free.count())});
  if (!response.ok && request.op != SlotLutOp::query) {
    throw RunError(fmt::format("sw[{}]: cycle {}: slot LUT row {} refused to {} slots of flow {}", sw_, now,
                               request.row, request.op == SlotLutOp::reserve ? "reserve" : "release", flow));
  }
  return response;
}

Cycle SwitchResources::change(Cycle now, const TableChange& change) {
  std::vector<TableWriter::Change> changes;
  const std::vector<Slot> slots = slot_list(change.slots);
  const std::vector<Slot>& from = change.from.empty() ? slots : change.from;
  for (const PortId out : change.outs) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      changes.push_back({out, slots[i], change.set ? SlotTableEntry{change.in, from[i]} : SlotTableEntry{}});
    }
  }
  return tables_.change(now, changes);
}

std::string SwitchResources::inconsistency(const std::vector<CircuitHolding>& holdings) {
  std::vector<SlotSet> held(std::size_t{2} * ports_, SlotSet(slots_));
  SlotTable table(ports_, slots_);
  std::string wrong;
  const auto hold = [&](std::uint32_t row, const SlotSet& slots) {
    if (held[row].intersects(slots))
      wrong = fmt::format("sw[{}]: slot LUT row {} has a slot with two owners", sw_, row);
    held[row] |= slots;
  };
  for (const CircuitHolding& h : holdings) {
    if (h.first) hold(std::uint32_t{ports_} + h.in, h.in_slots());
    const std::vector<Slot> slots = slot_list(h.slots);
    const std::vector<Slot>& from = h.from.empty() ? slots : h.from;
    for (const PortId out : h.outs) {
      hold(out, h.slots);
      if (!h.in_table) continue;
      for (std::size_t i = 0; i < slots.size(); ++i) table.at(out, slots[i]) = {h.in, from[i]};
    }
  }
  for (std::uint32_t row = 0; row < held.size(); ++row) {
    if (lut_.request({SlotLutOp::query, row, all_slots(slots_)}).free != ~held[row]) {
      wrong = fmt::format("sw[{}]: slot LUT row {} does not agree with the circuits the switch knows", sw_, row);
    }
  }
  if (!(table == tables_.target())) wrong = fmt::format("sw[{}]: the slot table does not agree with its circuits", sw_);
  return wrong;
}

}  // namespace weft
