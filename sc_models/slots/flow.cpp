#include "slots/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace weft {
namespace {

/// A destination that is reached through an edge, for messages.
NodeId destination_through(const CircuitTree& tree, std::size_t edge) {
  for (std::size_t d = 0; d < tree.destinations.size(); ++d) {
    for (std::int32_t e = static_cast<std::int32_t>(tree.ejection_edge[d]); e >= 0; e = tree.edges[e].parent) {
      if (static_cast<std::size_t>(e) == edge) return tree.destinations[d];
    }
  }
  return kNoId;
}

void check_disjoint(const Graph& graph, const Flow& flow, Diagnostics& diagnostics) {
  if (flow.trees.size() < 2) return;
  struct User {
    std::size_t tree, edge;
  };
  std::unordered_map<LinkId, User> users;
  std::set<std::pair<std::size_t, std::size_t>> reported;
  for (std::size_t t = 0; t < flow.trees.size(); ++t) {
    for (std::size_t e = 0; e < flow.trees[t].edges.size(); ++e) {
      const auto [it, first] = users.try_emplace(flow.trees[t].edges[e].link, User{t, e});
      if (first || !reported.emplace(it->second.tree, t).second) continue;
      const CircuitTree& other = flow.trees[it->second.tree];
      diagnostics.error(
          flow.where,
          fmt::format("flow '{}': {} -> {} and {} -> {} would share a slot on link {}; give them different "
                      "flow ids",
                      flow.name, other.source, destination_through(other, it->second.edge), flow.trees[t].source,
                      destination_through(flow.trees[t], e), graph.link_name(it->first)));
    }
  }
}

}  // namespace

CircuitTree make_tree(const Graph& graph, const Routing& routing, NodeId source,
                      const std::vector<NodeId>& destinations) {
  CircuitTree tree;
  tree.source = source;
  tree.destinations = destinations;
  std::unordered_map<SwitchId, std::int32_t> entered;  // switch in the tree -> the edge that enters it
  for (const NodeId to : destinations) {
    const std::vector<LinkId> links = route(graph, routing, source, to);
    // links[i], i > 0, leaves the i-th switch of the route.
    std::size_t begin = 1;
    std::int32_t parent = 0;
    if (tree.edges.empty()) {
      tree.edges.push_back({links[0], -1});
      entered.emplace(graph.attachment(source).sw, 0);
    } else {
      for (std::size_t i = links.size() - 1; i > 0; --i) {
        if (const auto it = entered.find(graph.driver(links[i]).sw); it != entered.end()) {
          begin = i;
          parent = it->second;
          break;
        }
      }
    }
    for (std::size_t i = begin; i < links.size(); ++i) {
      const auto index = static_cast<std::int32_t>(tree.edges.size());
      tree.edges.push_back({links[i], parent});
      parent = index;
      // One destination needs no look-ups later.
      if (destinations.size() > 1 && i + 1 < links.size()) entered.emplace(graph.driver(links[i + 1]).sw, index);
    }
    tree.ejection_edge.push_back(static_cast<std::uint32_t>(parent));
  }
  return tree;
}

Flow make_flow(const Graph& graph, const Routing& routing, std::string name, std::string job, std::uint32_t slots,
               const std::vector<std::pair<NodeId, NodeId>>& pairs, const Location& where, Diagnostics& diagnostics) {
  Flow flow{std::move(name), std::move(job), where, slots, {}};
  const auto error = [&](const std::string& text) {
    diagnostics.error(where, fmt::format("flow '{}': {}", flow.name, text));
  };
  if (slots == 0) error("asks for 0 slots; at least 1 is needed");
  if (pairs.empty()) error("has no source/destination pair");
  std::vector<std::pair<NodeId, std::vector<NodeId>>> by_source;  // in order of first appearance
  std::unordered_map<NodeId, std::size_t> index_of;
  std::set<std::pair<NodeId, NodeId>> seen;
  for (const auto& [from, to] : pairs) {
    bool good = true;
    for (const NodeId n : {from, to}) {
      if (n < graph.nodes()) continue;
      good = false;
      error(
          fmt::format("node {} does not exist; the network ({}) has nodes 0..{}", n, graph.name(), graph.nodes() - 1));
    }
    if (good && from == to) {
      good = false;
      error(fmt::format("node {} sends to itself", from));
    }
    if (good && !seen.emplace(from, to).second) {
      good = false;
      error(fmt::format("pair {} -> {} is named twice", from, to));
    }
    if (!good) continue;
    const auto [it, first] = index_of.try_emplace(from, by_source.size());
    if (first) by_source.push_back({from, {}});
    by_source[it->second].second.push_back(to);
  }
  for (const auto& [source, destinations] : by_source) {
    flow.trees.push_back(make_tree(graph, routing, source, destinations));
  }
  check_disjoint(graph, flow, diagnostics);
  return flow;
}

std::vector<std::uint32_t> link_loads(const Graph& graph, const std::vector<Flow>& flows) {
  std::vector<std::uint32_t> loads(graph.link_count());
  for (const Flow& flow : flows) {
    for (const CircuitTree& tree : flow.trees) {
      for (const TreeEdge& edge : tree.edges) loads[edge.link] += flow.slots;
    }
  }
  return loads;
}

MinimumSlots minimum_slots(const Graph& graph, const std::vector<Flow>& flows) {
  const std::vector<std::uint32_t> loads = link_loads(graph, flows);
  const auto largest = std::max_element(loads.begin(), loads.end());  // the first of several
  if (largest == loads.end() || *largest == 0) return {};
  return {*largest, static_cast<LinkId>(largest - loads.begin())};
}

std::uint32_t PairLoads::largest(const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  std::fill(loads_.begin(), loads_.end(), 0);
  std::uint32_t most = 0;
  for (const auto& [from, to] : pairs) {
    visit_route(graph_, routing_, from, to, [&](LinkId link) { most = std::max(most, ++loads_[link]); });
  }
  return most;
}

}  // namespace weft
