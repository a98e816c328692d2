#pragma once
// The links that fail in a run: from the configuration to events, and the routing that goes round them.

#include <memory>
#include <optional>

#include "fabric/packet/link_faults.h"
#include "run/qos_platform.h"

namespace weft {

class QosFaults final : public PacketRouter {
 public:
  /// `platform` must outlive the faults, and these the network they are attached to.
  explicit QosFaults(const QosPlatform& platform);
  void attach(PacketNetwork& network);
  const LinkFaults& links() const { return faults_; }

  PacketHop route(SwitchId at, PortId in, const PacketMessage& message) const override;
  VirtualLane injection_lane(NodeId at, ServiceLevel level) const override {
    return platform_.injection_lane(at, level);
  }
  std::uint8_t injection_channel(NodeId at, ServiceLevel level) const override {
    return platform_.injection_channel(at, level);
  }

 private:
  std::optional<LinkId> first_down(RoutePlace place, const PacketMessage& message) const;

  const QosPlatform& platform_;
  LinkState state_;
  std::unique_ptr<FaultyRouting> routing_;
  PacketNetwork* network_ = nullptr;
  mutable LinkFaults faults_;  // routing notes in it why there is no way
};

}  // namespace weft
