#pragma once
// Links that fail in a network of IB-like or OPA-like switches. What is on a wire is known from watching the messages
// that go over the links that ever fail.

#include <unordered_map>
#include <vector>

#include "fabrics/packet/common/link_faults.h"

namespace weft {

class PacketNetwork;

class PacketLinkFaults final : public LinkFaults, public PacketObserver {
 public:
  using LinkFaults::LinkFaults;
  /// Observes the network, which must outlive the object.
  void attach(PacketNetwork& network);

  bool wants_hops() const override { return true; }
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
  void note(LinkId link, const PacketMessage& message, Cycle first);

  PacketNetwork* network_ = nullptr;
  Cycle flight_ = 0;
  std::unordered_map<LinkId, std::vector<OnWire>> wires_;  // of links that ever fail
};

}  // namespace weft
