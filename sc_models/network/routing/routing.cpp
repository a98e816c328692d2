#include "network/routing/routing.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {

void throw_lost_route(NodeId from, NodeId to) {
  throw RunError(
      fmt::format("routing from node {} to node {} does not arrive: it loops or ends at a free port", from, to));
}

std::vector<LinkId> route(const Graph& graph, const CircuitRouting& routing, NodeId from, NodeId to) {
  std::vector<LinkId> links;
  visit_route(graph, routing, from, to, [&links](LinkId link) { links.push_back(link); });
  return links;
}

}  // namespace weft
