#pragma once
// An all-to-all schedule on FiC-SW: every connection is a circuit with the same slot on every hop, which is just what
// the switches' slot tables hold.
//
// Channels (wavelengths of planes, wdm.h) are parallel links: channel c is the c-th link of every bundle, between
// neighbours and between a node and its switch. A circuit has its time slot on the links of its channel, on every hop.

#include <string>
#include <vector>

#include "algorithms/alltoall/schedule.h"
#include "algorithms/alltoall/wdm.h"
#include "algorithms/slots/allocation.h"
#include "algorithms/slots/flow.h"
#include "network/graph.h"
#include "network/routing/routing.h"

namespace weft::alltoall {

/// Longest TDM frame of a FiC switch.
inline constexpr std::uint32_t kLongestFrame = 4096;
/// Connections of the largest grid whose tables are written; more make a file of some 100 MB.
inline constexpr std::uint64_t kMostTabled = 70'000;

/// Links of a circuit of one slot on a channel: the one of that number on every edge that is a bundle.
LaneLinks links_of_channel(const Graph& graph, const Flow& flow, std::uint32_t channel);

struct ScheduledCircuits {
  std::vector<Flow> flows;  ///< one per connection, by source, then destination; named "source-destination"
  Allocation allocation;    ///< of these flows
};

/// The schedule, which must be valid and have at most kLongestFrame (time) slots, as circuits of a network. `routing`
/// must be that of the schedule's grid, `where` is where the circuits come from. `plan`: null for a single channel;
/// else all bundles of the network have at least its channels.
ScheduledCircuits circuits_of(const Schedule& schedule, const ChannelPlan* plan, const Graph& graph,
                              const CircuitRouting& routing, const Location& where);

/// Slot tables of the schedule on a mesh or torus of FiC switches, as algorithms/slots/slot_table.h writes them.
/// `plan`: null for a single channel.
struct SlotTableTexts {
  std::string csv;
  std::string text;
};
SlotTableTexts slot_table_texts(const Schedule& schedule, const ChannelPlan* plan);

}  // namespace weft::alltoall
