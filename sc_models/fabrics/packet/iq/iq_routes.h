#pragma once
// The routing of a network as input-queued routers ask it: a table of the steps that depend on switch and destination
// only, and the routing itself for all others (random routes, lane classes that depend on the ring a packet is in).

#include <cstdint>
#include <vector>

#include "fabrics/packet/iq/parameters.h"
#include "network/graph.h"
#include "network/routing/packet_routing.h"

namespace weft {

class IqRoutes {
 public:
  /// Keeps a reference to `routing`.
  IqRoutes(const PacketRouting& routing, const Graph& graph);

  struct Entry {
    PortId first = 0;
    std::uint8_t count = 0;  ///< kVaries: the step depends on more; 0: nobody comes here
    std::uint8_t lanes = 0;  ///< lane class, or kAllLanes on the link to a NIC
  };
  static constexpr std::uint8_t kVaries = 0xff;
  static constexpr std::uint8_t kAllLanes = kMostIqVcs;

  /// One entry per destination for packets at this switch; null when the network is too large for tables.
  const Entry* row(SwitchId at) const {
    return table_.empty() ? nullptr : &table_[static_cast<std::size_t>(at) * nodes_];
  }
  const PacketRouting& routing() const { return routing_; }
  bool single_path() const { return single_path_; }  ///< steps do not depend on the packet's random number

 private:
  static constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 20;
  void enter(const Graph& graph, const RoutePlace& place, NodeId to, const RouteStep& step);

  const PacketRouting& routing_;
  const bool single_path_;
  const std::uint32_t nodes_;
  std::vector<Entry> table_;  // [switch * nodes + destination]; empty: network too large
};

/// The most ports that a hop of a packet has.
std::uint32_t widest_hop(const PacketRouting& routing, const Graph& graph);

}  // namespace weft
