#pragma once
// Link failures of a run: from the configuration to events, and the routing that goes round them.

#include <memory>
#include <optional>
#include <vector>

#include "fabrics/packet/iq/iq_faults.h"
#include "fabrics/packet/packet_link_faults.h"
#include "run/packet/packet_platform.h"

namespace weft {

/// Routes of messages while links are down, for every kind of switch.
class MessageRerouting {
 public:
  /// `platform` must outlive the object.
  explicit MessageRerouting(const PacketPlatform& platform);

 protected:
  ~MessageRerouting() = default;
  static std::vector<LinkEvent> events(const PacketPlatform& platform);
  /// Tells `faults` when the message takes another route than usual, or has none and is to be discarded: count 0. One
  /// that is to wait goes as far as it can on its usual route.
  template <class Network>
  RouteStep step(const RoutePlace& place, const PacketMessage& m, LinkFaults& faults, Network& network) const {
    const RouteStep step = routing_->step(place, m.destination, m.choice);
    if (state_.all_up()) return step;
    const RouteStep usual = platform_.routing().step(place, m.destination, m.choice);
    if (step.count > 0) {
      if (step.first == usual.first && step.count == usual.count) return step;
      if (const auto link = first_down(place, m)) network.note_reroute(m, faults.holder(*link));
      return step;
    }
    if (platform_.config().unroutable == Unroutable::wait) return usual;
    faults.blame(m.sequence, first_down(place, m).value());
    return step;
  }

  const PacketPlatform& platform_;
  LinkState state_;
  std::unique_ptr<FaultyRouting> routing_;

 private:
  std::optional<LinkId> first_down(RoutePlace place, const PacketMessage& message) const;
};

/// For IB-like and OPA-like switches.
class PacketFaults final : public MessageRerouting, public PacketRouter {
 public:
  /// `platform` must outlive the faults, and these the network they are attached to.
  explicit PacketFaults(const PacketPlatform& platform);
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
  PacketNetwork* network_ = nullptr;
  mutable PacketLinkFaults faults_;  // routing notes in it why there is no route
};

/// For input-queued routers.
class IqFaults final : public MessageRerouting, public IqRerouting {
 public:
  explicit IqFaults(const PacketPlatform& platform);
  void attach(IqNetwork& network);
  const LinkFaults& links() const { return faults_; }

  RouteStep step(const RoutePlace& place, const PacketMessage& message) override;

 private:
  IqNetwork* network_ = nullptr;
  IqLinkFaults faults_;
};

}  // namespace weft
