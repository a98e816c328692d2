#pragma once
// Binds the sockets of a network as its graph says: every output of a switch to the input at the other end of its link,
// and every node to the port it is attached to, both ways.

#include "network/graph.h"

namespace weft {

/// `switches[s]` has out(port) and in(port), `nodes[n]` has out() and in(), each with a member `socket`.
template <class Switches, class Nodes>
void bind_links(const Graph& graph, const Switches& switches, const Nodes& nodes) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) {
      const PortRef peer = graph.peer(s, p);
      if (peer.sw != kNoId) switches[s]->out(p).socket.bind(switches[peer.sw]->in(peer.port).socket);
    }
  }
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    const PortRef at = graph.attachment(n);
    nodes[n]->out().socket.bind(switches[at.sw]->in(at.port).socket);
    switches[at.sw]->out(at.port).socket.bind(nodes[n]->in().socket);
  }
}

}  // namespace weft
