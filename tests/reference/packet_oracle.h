#pragma once
// A whole network of packet switches, cycle by cycle and flit by flit, as docs/packet_switches.md describes it: queues
// of flits, links of flits, credits on their way back, and loops over all devices in every cycle. Slow and obvious on
// purpose: the message-level models must deliver every message in the same cycle. Shares no code with them; network,
// routing and egress schedulers are given to it.
//
// It checks itself in every cycle (see packet_oracle.cpp) and throws std::logic_error when a rule is broken.

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "algorithms/qos/egress_scheduler.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/packet/common/parameters.h"
#include "network/graph.h"

namespace weft::packet_oracle {

struct OracleMessage {
  Cycle generated = 0;
  NodeId source = 0;
  NodeId destination = 0;  ///< not the source
  ServiceLevel level = 0;
  std::uint32_t flits = 1;
  std::uint32_t choice = 0;  ///< for the routing: picks one of several paths
};

struct OracleSetup {
  const Graph& graph;
  PacketParameters parameters;
  /// Routing and SL2VL mapping of a message that arrives at an input port. A pure function.
  std::function<PacketHop(SwitchId at, PortId in, const OracleMessage&, VirtualLane arrived_on)> route;
  std::function<VirtualLane(NodeId, ServiceLevel)> injection_lane;
  /// Called once for every switch output port with a link (in the order of link numbers), then for every NIC.
  std::function<std::unique_ptr<EgressScheduler>(LinkId)> scheduler;
  /// A run in which messages are under way and nothing at all happens for so many cycles has stalled.
  Cycle stall_after = 20'000;
};

/// A message is given to a link: the cycle in which OB (of a switch or NIC) decides for it.
struct OracleDecision {
  LinkId link = 0;
  Cycle cycle = 0;
  bool operator==(const OracleDecision&) const = default;
};

struct OracleResult {
  std::vector<Cycle> delivered;                        ///< per message; -1: not within max_cycles
  std::vector<std::vector<OracleDecision>> decisions;  ///< per message, along its path
};

/// Nothing moves any more; what() names the ports at which messages wait, and for what.
class OracleStall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Cycles 0 .. max_cycles - 1, or until all messages are delivered. Messages are in the order of their generation;
/// those of one cycle join their application queues in list order.
OracleResult run_packet_oracle(const OracleSetup& setup, const std::vector<OracleMessage>& messages, Cycle max_cycles);

}  // namespace weft::packet_oracle
