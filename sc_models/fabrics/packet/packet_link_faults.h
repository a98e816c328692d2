#pragma once
// Links that fail in a network of packet switches, and the routes of messages meanwhile. What is on a wire
// is known from watching the messages that go over the links that ever fail.

#include <vector>

#include "fabrics/packet/common/lane_router.h"
#include "fabrics/packet/common/message_rerouting.h"

namespace weft {

class PacketNetwork;

class PacketLinkFaults final : public LinkFaults, public PacketObserver {
 public:
  using LinkFaults::LinkFaults;
  /// Observes the network, which must outlive the object.
  void attach(PacketNetwork& network);

  bool wants_hops() const override { return true; }
  bool wants_ends() const override { return false; }
  void on_inject(const PacketMessage& message) override;
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) override;

 private:
  struct OnWire {
    std::uint32_t sequence = 0;
    Cycle last = 0;  // its last flit arrives
  };
  void cut_wire(LinkId link, Cycle now) override;
  void change(LinkId link, bool up, Cycle now) override;
  void reroute(Cycle now) override;
  void forget(std::uint32_t sequence) override;
  /// Of a flit.
  Cycle flight_of(LinkId link) const;
  void note(LinkId link, const PacketMessage& message, Cycle first);

  PacketNetwork* network_ = nullptr;
  std::vector<std::vector<OnWire>> wires_;  // of links that ever fail, by the numbers of concerned()
};

/// Router of a network whose links fail.
class PacketRerouting final : public MessageRerouting, public PacketRouter {
 public:
  /// References must outlive the object, and this the network it is attached to.
  PacketRerouting(const RerouteParameters& parameters, const LaneRouter& usual, const Graph& graph);
  void attach(PacketNetwork& network);
  const LinkFaults& links() const { return faults_; }

  PacketHop route(SwitchId at, PortId in, const PacketMessage& message) const override;
  VirtualLane injection_lane(NodeId at, ServiceLevel level) const override {
    return usual_router_.injection_lane(at, level);
  }
  std::uint8_t injection_channel(NodeId at, ServiceLevel level) const override {
    return usual_router_.injection_channel(at, level);
  }

 private:
  const LaneRouter& usual_router_;
  PacketNetwork* network_ = nullptr;
  mutable PacketLinkFaults faults_;  // routing notes in it why there is no route
};

}  // namespace weft
