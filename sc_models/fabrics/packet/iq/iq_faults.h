#pragma once
// Links that fail in a network of input-queued routers. A packet is a worm there: while its head is far ahead its tail
// may not have left the source. When a link under it goes down the device behind the link makes up the missing flits as
// they would have come, so that lengths, credits and VCs stay in order; the packet goes on, marked as bad, and is lost
// at its destination. Heads take no new VC of a link that is down. Semantics: docs/iq_router.md, "Links that fail".

#include "fabrics/packet/common/message_rerouting.h"
#include "fabrics/packet/iq/iq_rerouting.h"

namespace weft {

class IqLinkFaults final : public LinkFaults {
 public:
  using LinkFaults::LinkFaults;
  /// `rerouting`: routes with the links as they are. Both must outlive the network's run.
  void attach(IqNetwork& network, IqRerouting& rerouting);

 private:
  void catch_up() override;
  void cut_wire(LinkId link, Cycle now) override;
  void change(LinkId link, bool up, Cycle now) override;
  void reroute(Cycle now) override;

  IqNetwork* network_ = nullptr;
};

/// Routes of packets of a network whose links fail.
class IqFaults final : public MessageRerouting, public IqRerouting {
 public:
  /// References must outlive the object, and this the network it is attached to.
  IqFaults(const RerouteParameters& parameters, const PacketRouting& usual, const Graph& graph)
      : MessageRerouting(parameters, usual, graph), faults_(graph, state_, *routing_, events()) {}
  void attach(IqNetwork& network);
  const LinkFaults& links() const { return faults_; }

  RouteStep step(const RoutePlace& place, const PacketMessage& message) override;

 private:
  IqNetwork* network_ = nullptr;
  IqLinkFaults faults_;
};

}  // namespace weft
