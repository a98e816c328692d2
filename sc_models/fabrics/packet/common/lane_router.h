#pragma once
// Router of a network of packet switches: the steps of its routing, with VL and SC from the lane tables.

#include "fabrics/packet/common/lane_tables.h"
#include "fabrics/packet/common/packet_switch.h"

namespace weft {

class LaneRouter final : public PacketRouter {
 public:
  /// References must outlive the router.
  LaneRouter(const PacketRouting& routing, const LaneTables& tables) : routing_(routing), tables_(tables) {}

  PacketHop route(SwitchId at, PortId in, const PacketMessage& message) const override;
  /// Hop of a step of the routing.
  PacketHop hop(const RouteStep& step, SwitchId at, PortId in, const PacketMessage& message) const;
  VirtualLane injection_lane(NodeId at, ServiceLevel level) const override {
    return static_cast<VirtualLane>(tables_.at_nic(at, level).lane);
  }
  std::uint8_t injection_channel(NodeId at, ServiceLevel level) const override {
    return tables_.at_nic(at, level).channel;
  }
  const PacketRouting& routing() const { return routing_; }

 private:
  const PacketRouting& routing_;
  const LaneTables& tables_;
};

}  // namespace weft
