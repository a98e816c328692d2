#pragma once
// State of the links of a network, and the interface of routings that go round links that are down.

#include <vector>

#include "network/routing/packet_routing.h"

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

}  // namespace weft
