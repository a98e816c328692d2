#pragma once
// A whole network of input-queued routers, cycle by cycle, as docs/iq_router.md describes it: every router looks at
// every VC in every cycle. Slow and obvious on purpose: the model must deliver every packet in the same cycle. Shares
// no code with it; network and routing are data to it.

#include <vector>

#include "fabric/iq/parameters.h"
#include "routing/packet_routing.h"
#include "topology/graph.h"

namespace weft::oracle {

struct IqPacket {
  Cycle generated = 0;
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t flits = 1;
  std::uint32_t choice = 0;
};

struct IqOutcome {
  std::vector<Cycle> sent;       ///< per packet: its head on the link of its NIC
  std::vector<Cycle> delivered;  ///< per packet
};

/// Runs until all packets have been delivered. Packets of one cycle and source are queued in the order of the list.
/// Throws std::runtime_error when `patience` cycles pass without a delivery.
IqOutcome run_iq(const IqParameters& parameters, const Graph& graph, const PacketRouting& routing,
                 const std::vector<IqPacket>& packets, Cycle patience = 100'000);

}  // namespace weft::oracle
