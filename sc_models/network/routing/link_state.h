#pragma once
// Which links of a network are up, and the way of packets while some are not.
//
// Trees go round what is down: on the way up a message takes, in cyclic order from the port its source drew, the first
// one over which its destination can still be reached; where no such port is left it turns down as soon as it can, and
// a message that would have turned at the nearest common ancestor goes further up if the way down from there is broken.
// Messages still never turn up again, so no deadlock becomes possible. The other algorithms have one way and keep to
// it; of a trunk any link that is up will do.

#include <memory>
#include <vector>

#include "network/routing/packet_routing.h"
#include "network/routing/routing_config.h"

namespace weft {

/// Every directed link; all are up at first.
class LinkState {
 public:
  explicit LinkState(const Graph& graph) : graph_(graph), down_(graph.link_count()) {}
  bool up(SwitchId sw, PortId port) const { return !down_[graph_.out_link(sw, port)]; }
  bool up(LinkId link) const { return !down_[link]; }
  bool all_up() const { return downs_ == 0; }
  void set(LinkId link, bool up) {
    if (down_[link] != up) return;
    down_[link] = !up;
    downs_ += up ? -1U : 1U;
  }

 private:
  const Graph& graph_;
  std::vector<bool> down_;
  std::uint32_t downs_ = 0;
};

class FaultyRouting {
 public:
  virtual ~FaultyRouting() = default;
  /// As PacketRouting::step; a count of 0 says that there is no way.
  virtual RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const = 0;
  /// The state of links has changed.
  virtual void update() = 0;
};

/// All references must outlive the result.
std::unique_ptr<FaultyRouting> make_faulty_routing(const PacketRouting& routing, RoutingAlgorithm algorithm,
                                                   const Graph& graph, const LinkState& links);

}  // namespace weft
