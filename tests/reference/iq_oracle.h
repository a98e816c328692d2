#pragma once
// A whole network of input-queued routers, cycle by cycle, as docs/iq_router.md describes it: every router looks at
// every VC in every cycle. Slow and obvious on purpose: the model must deliver every packet in the same cycle. Shares
// no code with it; network and routing are data to it.

#include <map>
#include <vector>

#include "fabrics/packet/iq/parameters.h"
#include "network/graph.h"
#include "network/routing/link_state.h"
#include "network/routing/packet_routing.h"

namespace weft::oracle {

struct IqPacket {
  Cycle generated = 0;
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t flits = 1;
  std::uint32_t choice = 0;
};

/// A link in one direction goes down or comes back at the beginning of a cycle. It is down while it has gone down more
/// often than it has come back.
struct IqLinkChange {
  Cycle cycle = 0;
  LinkId link = 0;
  bool up = false;
};

struct IqFaultPlan {
  LinkState& links;        ///< all up; the run changes it
  FaultyRouting& routing;  ///< that looks at it
  std::vector<IqLinkChange> changes;
  bool discard = true;  ///< packets without a route; else they wait
};

struct IqOutcome {
  std::vector<Cycle> sent;                     ///< per packet: its head on the link of its NIC
  std::vector<Cycle> delivered;                ///< per packet, -1: lost
  std::vector<Cycle> lost;                     ///< per packet, -1: delivered
  std::map<LinkId, std::vector<Cycle>> flits;  ///< per link that carried something: cycles in which one is on it
};

/// `adapters`: cycles that one adds to each directed link, by its number; empty: none has any.
/// Runs until all packets have been delivered or lost. Packets of one cycle and source are queued in the order of the
/// list. Throws std::runtime_error when `patience` cycles pass without a delivery.
IqOutcome run_iq(const IqParameters& parameters, const Graph& graph, const PacketRouting& routing,
                 const std::vector<IqPacket>& packets, IqFaultPlan* faults = nullptr,
                 const std::vector<Cycle>& adapters = {}, Cycle patience = 100'000);

}  // namespace weft::oracle
