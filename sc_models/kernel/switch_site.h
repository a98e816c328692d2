#pragma once
// Site of a packet switch or router in its network.

#include <vector>

#include "network/graph.h"

namespace weft {

struct SwitchSite {
  SwitchId sw = 0;
  PortId ports = 0;
  std::vector<bool> to_node;    ///< per port: a NIC is behind it
  std::vector<bool> connected;  ///< per port
};

inline SwitchSite site_of(const Graph& graph, SwitchId sw) {
  SwitchSite site{sw, graph.ports(sw), {}, {}};
  for (PortId p = 0; p < site.ports; ++p) {
    site.to_node.push_back(graph.node_at(sw, p) != kNoId);
    site.connected.push_back(!graph.is_free({sw, p}));
  }
  return site;
}

}  // namespace weft
