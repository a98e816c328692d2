#pragma once
// Directed links of a packet network as observers of buffers need them: which switch is behind each, and how long flits
// are on it.

#include <vector>

#include "network/graph.h"

namespace weft {

class PacketLinks {
 public:
  PacketLinks() = default;
  /// `delay`: cycles from a flit's being on a link until it has arrived at the other end; `adapters` add to it, by
  /// link, unless there are none.
  PacketLinks(const Graph& graph, Cycle delay, const std::vector<Cycle>& adapters) {
    for (LinkId l = 0; l < graph.link_count(); ++l) {
      const bool injection = graph.is_injection(l);
      const PortRef from = injection ? PortRef{} : graph.driver(l);
      const SwitchId to = injection ? graph.attachment(l - graph.total_ports()).sw : graph.peer(from.sw, from.port).sw;
      links_.push_back({to, delay + (adapters.empty() ? 0 : adapters[l])});
    }
  }
  struct Link {
    SwitchId to = kNoId;  ///< kNoId: a node
    Cycle delay = 0;
  };
  const Link& operator[](LinkId link) const { return links_[link]; }

 private:
  std::vector<Link> links_;
};

}  // namespace weft
