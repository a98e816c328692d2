#pragma once
// The slot LUTs of all switches of a network, addressed by directed link. This is the one place that says
// which LUT row stands for which link: a switch's output port p is row p, the injection of a node at port p
// is row ports + p.

#include <vector>

#include "algorithms/slots/allocation_options.h"
#include "algorithms/slots/flow.h"
#include "algorithms/slots/slot_lut.h"
#include "network/graph.h"

namespace weft {

/// Switch and row of its slot LUT that stand for a directed link.
struct LutRow {
  SwitchId sw;
  std::uint32_t row;
};
LutRow lut_row(const Graph& graph, LinkId link);

class SlotLutBank {
 public:
  SlotLutBank(const Graph& graph, std::uint32_t slots);
  std::uint32_t slots() const { return slots_; }
  SlotSet all() const { return all_slots(slots_); }
  const SlotSet& free(LinkId link) const;
  /// The received vector ANDed with the link's own (SlotLut query).
  SlotSet query(LinkId link, SlotSet received);
  /// The same for a bundle: slots that any of its links has free.
  SlotSet query_bundle(LinkId link, const SlotSet& received);
  /// Slots free on every link or bundle of every tree: the vector travels all trees, edge by edge.
  SlotSet query(const Flow& flow);
  /// Throws RunError when the LUT refuses: the caller reserves only what a query has shown to be free.
  void reserve(LinkId link, const SlotSet& slots);
  void reserve(const Flow& flow, const SlotSet& slots);
  void release(LinkId link, const SlotSet& slots);
  void release(const Flow& flow, const SlotSet& slots);
  /// Slots that a flow has been given, on the links it has been given; those that are missing are chosen first: for
  /// each slot the lowest link of the bundle that has it free.
  void reserve(const Flow& flow, FlowSlots& slots);
  /// Gives back what reserve() has taken.
  void release(const Flow& flow, const FlowSlots& slots);
  /// For each of the slots the lowest link of a bundle that has it free, and reserves it; empty for a link without one.
  std::vector<LinkId> reserve_in_bundle(LinkId link, const std::vector<Slot>& slots);

 private:
  void change(SlotLutOp op, LinkId link, const SlotSet& slots);
  void change_lanes(SlotLutOp op, const Flow& flow, std::size_t tree, std::size_t edge, const FlowSlots& slots);

  const Graph& graph_;
  std::uint32_t slots_;
  std::vector<SlotLut> luts_;
};

}  // namespace weft
