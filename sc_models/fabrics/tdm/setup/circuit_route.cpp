#include "fabrics/tdm/setup/circuit_route.h"

#include <algorithm>

namespace weft {

std::size_t CircuitRoute::index_of(NodeId node) const {
  return static_cast<std::size_t>(std::find(destinations.begin(), destinations.end(), node) - destinations.begin());
}

std::vector<std::size_t> CircuitRoute::behind(SwitchId sw, PortId out) const {
  std::vector<std::size_t> found;
  const auto hop = std::find_if(hops.begin(), hops.end(), [&](const RouteHop& h) { return h.sw == sw; });
  if (hop == hops.end()) return found;
  std::vector<RouteBranch> open;
  for (const RouteBranch& b : hop->branches) {
    if (b.out == out) open.push_back(b);
  }
  while (!open.empty()) {
    const RouteBranch b = open.back();
    open.pop_back();
    if (b.next == kNoHop) {
      found.push_back(index_of(b.host));
    } else {
      open.insert(open.end(), hops[b.next].branches.begin(), hops[b.next].branches.end());
    }
  }
  return found;
}

std::uint32_t CircuitRoute::links_to(std::size_t destination) const {
  const auto ends_here = [host = destinations[destination]](const RouteBranch& b) { return b.host == host; };
  return std::find_if(hops.begin(), hops.end(),
                      [&](const RouteHop& h) { return std::any_of(h.branches.begin(), h.branches.end(), ends_here); })
      ->depth;
}

std::shared_ptr<const CircuitRoute> make_circuit_route(const Graph& graph, const CircuitTree& tree) {
  auto route = std::make_shared<CircuitRoute>();
  route->source = tree.source;
  route->destinations = tree.destinations;
  const LinkId injection = tree.edges.front().link;
  const PortRef at = graph.entry(injection);
  route->hops.push_back({at.sw, at.port, 0, kNoHop, injection, {}});
  std::vector<std::uint32_t> hop_of(tree.edges.size(), 0);  // the switch an edge enters
  for (std::size_t e = 1; e < tree.edges.size(); ++e) {
    const std::uint32_t from = hop_of[static_cast<std::size_t>(tree.edges[e].parent)];
    const PortRef driver = graph.driver(tree.edges[e].link);
    RouteBranch branch{driver.port, kNoHop, graph.node_at(driver.sw, driver.port), tree.edges[e].link};
    if (branch.host == kNoId) {
      branch.next = hop_of[e] = static_cast<std::uint32_t>(route->hops.size());
      const PortRef peer = graph.peer(driver.sw, driver.port);
      route->hops.push_back({peer.sw, peer.port, route->hops[from].depth + 1, from, branch.link, {}});
    }
    route->hops[from].branches.push_back(branch);
  }
  for (const RouteHop& h : route->hops) route->switches = std::max(route->switches, h.depth + 1);
  return route;
}

std::vector<std::shared_ptr<const CircuitRoute>> RouteTurns::routes(const std::vector<CircuitTree>& trees,
                                                                    std::size_t most) {
  const std::uint32_t links = graph_.node_links();
  const std::vector<NodeId>& destinations = trees.front().destinations;
  const std::uint32_t first = begun_[trees.front().source]++;
  std::vector<std::uint32_t> last;
  for (const NodeId d : destinations) last.push_back(ended_[d]++);
  std::vector<std::shared_ptr<const CircuitRoute>> out;
  // At least each link of the source, or, where the links at the other end are chosen here too, each pair of links.
  const std::size_t least = graph_.has_bundles() ? links : std::size_t{links} * links;
  const std::size_t tries = std::min(trees.size() * least, std::max(most, least));
  for (std::uint32_t n = 0; n < tries; ++n) {
    CircuitTree tree = trees[n / links % trees.size()];
    tree.edges.front().link = graph_.injection_link(tree.source, (first + n) % links);
    for (std::size_t d = 0; d < last.size() && !graph_.has_bundles(); ++d) {
      const PortRef at = graph_.attachment(destinations[d]);
      const auto port = static_cast<PortId>(at.port + (last[d] + n + n / links) % links);
      tree.edges[tree.ejection_edge[d]].link = graph_.out_link(at.sw, port);
    }
    out.push_back(make_circuit_route(graph_, tree));
  }
  return out;
}

}  // namespace weft
