#pragma once
// Slot tables of the switches: entry (output port o, slot s) names the input register (input port i, slot
// s_in) whose word output o sends in slot s, or is idle. Multicast: several outputs name the same register.
// Source: FiC paper, section III.F, Figures 11 and 13. RTL twin: rtl/tdm/slot_table.sv.

#include <string>
#include <vector>

#include "algorithms/slots/allocation.h"
#include "algorithms/slots/flow.h"

namespace weft {

struct SlotTableEntry {
  PortId in_port = kNoPort;  ///< kNoPort: idle
  Slot in_slot = 0;
  bool idle() const { return in_port == kNoPort; }
  bool operator==(const SlotTableEntry&) const = default;
};

class SlotTable {
 public:
  SlotTable() = default;
  SlotTable(PortId ports, std::uint32_t slots) : ports_(ports), slots_(slots), entries_(std::size_t{ports} * slots) {}
  PortId ports() const { return ports_; }
  std::uint32_t slots() const { return slots_; }
  const SlotTableEntry& at(PortId out, Slot slot) const { return entries_[std::size_t{out} * slots_ + slot]; }
  SlotTableEntry& at(PortId out, Slot slot) { return entries_[std::size_t{out} * slots_ + slot]; }
  bool operator==(const SlotTable&) const = default;

 private:
  PortId ports_ = 0;
  std::uint32_t slots_ = 0;
  std::vector<SlotTableEntry> entries_;
};

/// One table per switch for an allocated set of flows. Throws RunError when two flows claim the same entry (a
/// bug in the allocation, never the user's fault).
std::vector<SlotTable> make_slot_tables(const Graph& graph, const std::vector<Flow>& flows,
                                        const Allocation& allocation, std::uint32_t slots);

/// CSV of all tables: switch,out_port,out_slot,in_port,in_slot,source,destinations,flow,job ; one line per
/// used entry, ordered by switch, output port, slot. `destinations` are all destinations reached through this
/// entry, joined by ' '.
std::string slot_tables_csv(const Graph& graph, const std::vector<Flow>& flows, const Allocation& allocation,
                            std::uint32_t slots);

/// The paper's text form (Fig. 13): for each pair its path "SW 0 (port 0->1) - [slot 0] -> SW 1 (port 2->0)",
/// then for each switch "Port 0 (Slot 0) --> Port 1 (Slot 0), from node 0 to node 1 (Pair ID 4, Flow ID 0,
/// Job 1)". `first_pair_ids`: number of the first pair of each flow; empty: pairs are numbered through.
std::string slot_tables_text(const Graph& graph, const std::vector<Flow>& flows, const Allocation& allocation,
                             std::uint32_t slots, const std::vector<std::uint64_t>& first_pair_ids = {});

}  // namespace weft
