#include "algorithms/slots/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <unordered_map>

#include "network/routing/minimal_routes.h"

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
          fmt::format("flow '{}': {} -> {} and {} -> {} would share a slot on {}; give them different flow ids",
                      flow.name, other.source, destination_through(other, it->second.edge), flow.trees[t].source,
                      destination_through(flow.trees[t], e), graph.bundle_name(it->first)));
    }
  }
}

// Adds the route to the next destination; the last switch of it that is in the tree already is where it leaves the
// tree.
class TreeBuilder {
 public:
  TreeBuilder(const Graph& graph, NodeId source, const std::vector<NodeId>& destinations) : graph_(graph) {
    tree_.source = source;
    tree_.destinations = destinations;
  }

  void add(const std::vector<LinkId>& links) {
    // links[i], i > 0, leaves the i-th switch of the route.
    std::size_t begin = 1;
    std::int32_t parent = 0;
    if (tree_.edges.empty()) {
      tree_.edges.push_back({links[0], -1});
      entered_.emplace(graph_.attachment(tree_.source).sw, 0);
    } else {
      for (std::size_t i = links.size() - 1; i > 0; --i) {
        if (const auto it = entered_.find(graph_.driver(links[i]).sw); it != entered_.end()) {
          begin = i;
          parent = it->second;
          break;
        }
      }
    }
    for (std::size_t i = begin; i < links.size(); ++i) {
      const auto index = static_cast<std::int32_t>(tree_.edges.size());
      tree_.edges.push_back({graph_.bundle_link(links[i]), parent});
      parent = index;
      // One destination needs no look-ups later.
      if (tree_.destinations.size() > 1 && i + 1 < links.size()) {
        entered_.emplace(graph_.driver(links[i + 1]).sw, index);
      }
    }
    tree_.ejection_edge.push_back(static_cast<std::uint32_t>(parent));
  }
  CircuitTree take() { return std::move(tree_); }

 private:
  const Graph& graph_;
  CircuitTree tree_;
  std::unordered_map<SwitchId, std::int32_t> entered_;  // switch in the tree -> the edge that enters it
};

std::vector<std::uint32_t> lengths(const CircuitTree& tree) {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t ejection : tree.ejection_edge) {
    std::uint32_t n = 0;
    for (auto e = static_cast<std::int32_t>(ejection); e >= 0; e = tree.edges[static_cast<std::size_t>(e)].parent) ++n;
    all.push_back(n);
  }
  return all;
}

}  // namespace

CircuitTree make_tree(const Graph& graph, const CircuitRouting& routing, NodeId source,
                      const std::vector<NodeId>& destinations) {
  TreeBuilder tree(graph, source, destinations);
  for (const NodeId to : destinations) tree.add(route(graph, routing, source, to));
  return tree.take();
}

std::vector<CircuitTree> minimal_trees(const Graph& graph, const CircuitRouting& routing,
                                       const RoutingAlgorithm& algorithm, NodeId source,
                                       const std::vector<NodeId>& destinations, std::size_t most) {
  std::vector<CircuitTree> trees{make_tree(graph, routing, source, destinations)};
  if (most <= 1) return trees;
  std::vector<std::vector<std::vector<LinkId>>> routes;
  std::size_t rounds = 0;
  for (const NodeId to : destinations) {
    routes.push_back(minimal_routes(graph, routing, algorithm, source, to, most));
    rounds = std::max(rounds, routes.back().size());
  }
  const std::vector<std::uint32_t> length = lengths(trees.front());
  for (std::size_t n = 1; n < rounds; ++n) {
    TreeBuilder builder(graph, source, destinations);
    for (const auto& w : routes) builder.add(w[std::min(n, w.size() - 1)]);
    CircuitTree tree = builder.take();
    const bool known =
        std::any_of(trees.begin(), trees.end(), [&](const CircuitTree& t) { return t.edges == tree.edges; });
    if (!known && lengths(tree) == length) trees.push_back(std::move(tree));
  }
  return trees;
}

std::string flow_text(const std::string& name, const NodePairs& pairs) {
  constexpr std::size_t kLongest = 60;
  std::string text;
  NodeId source = kNoId;
  for (const auto& [from, to] : pairs) {
    if (text.size() > kLongest) {
      text += " ...";
      break;
    }
    if (from != source) text += fmt::format("{}{} ->", text.empty() ? "" : ", ", from);
    text += fmt::format(" {}", to);
    source = from;
  }
  return fmt::format("flow '{}'{}", name, text.empty() ? "" : " (" + text + ")");
}

std::string flow_text(const Flow& flow) {
  NodePairs pairs;
  for (const CircuitTree& tree : flow.trees) {
    for (const NodeId to : tree.destinations) pairs.emplace_back(tree.source, to);
  }
  return flow_text(flow.name, pairs);
}

NodePairs check_pairs(const Graph& graph, const std::string& name, const NodePairs& pairs, const PairPlaces& places,
                      const Location& where, Diagnostics& diagnostics) {
  const auto error = [&](const Location& at, const std::string& text) {
    diagnostics.error(at, fmt::format("{}: {}", flow_text(name, pairs), text));
  };
  NodePairs good;
  std::set<std::pair<NodeId, NodeId>> seen;
  std::set<std::pair<NodeId, std::string>> unknown;  // a source stands once and belongs to several pairs
  const auto exists = [&](NodeId n, const Location& at) {
    if (n < graph.nodes()) return true;
    if (unknown.emplace(n, at.text()).second) {
      error(at, fmt::format("node {} does not exist; the network ({}) has nodes 0..{}", n, graph.name(),
                            graph.nodes() - 1));
    }
    return false;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [from, to] = pairs[i];
    const Location& to_where = places.empty() ? where : places[i].second;
    const bool source = exists(from, places.empty() ? where : places[i].first);
    if (!exists(to, to_where) || !source) continue;
    if (from == to) {
      error(to_where, fmt::format("node {} sends to itself", from));
    } else if (!seen.emplace(from, to).second) {
      error(to_where, fmt::format("pair {} -> {} is named twice", from, to));
    } else {
      good.push_back(pairs[i]);
    }
  }
  return good;
}

Flow make_flow(const Graph& graph, const CircuitRouting& routing, std::string name, std::string job,
               std::uint32_t slots, const NodePairs& pairs, const Location& where, Diagnostics& diagnostics,
               const PairPlaces& places) {
  Flow flow{std::move(name), std::move(job), where, slots, {}};
  const auto error = [&](const std::string& text) {
    diagnostics.error(where, fmt::format("{}: {}", flow_text(flow.name, pairs), text));
  };
  if (slots == 0) error("asks for 0 slots; at least 1 is needed");
  if (pairs.empty()) error("has no source/destination pair");
  std::vector<std::pair<NodeId, std::vector<NodeId>>> by_source;  // in order of first appearance
  std::unordered_map<NodeId, std::size_t> index_of;
  for (const auto& [from, to] : check_pairs(graph, flow.name, pairs, places, where, diagnostics)) {
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
  for (LinkId l = 0; graph.has_bundles() && l < graph.link_count(); ++l) {
    const std::span<const LinkId> bundle = graph.bundle(l);
    if (bundle.empty() || bundle.front() != l) continue;
    const std::uint32_t all = loads[l];
    const auto width = static_cast<std::uint32_t>(bundle.size());
    for (std::uint32_t i = 0; i < width; ++i) loads[bundle[i]] = (all + width - 1 - i) / width;
  }
  return loads;
}

MinimumSlots minimum_slots(const Graph& graph, const std::vector<Flow>& flows) {
  const std::vector<std::uint32_t> loads = link_loads(graph, flows);
  const auto largest = std::max_element(loads.begin(), loads.end());  // the first of several
  if (largest == loads.end() || *largest == 0) return {};
  MinimumSlots out{*largest, static_cast<LinkId>(largest - loads.begin())};
  // The links of a bundle share its load, but a circuit has each of its slots once.
  for (const Flow& flow : flows) {
    if (flow.slots <= out.slots || flow.trees.empty()) continue;
    out = {flow.slots, flow.trees.front().edges.front().link};
  }
  return out;
}

std::uint32_t PairLoads::largest(const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  std::fill(loads_.begin(), loads_.end(), 0);
  std::uint32_t most = 0;
  for (const auto& [from, to] : pairs) {
    visit_route(graph_, routing_, from, to, [&](LinkId link) {
      const std::uint32_t width = graph_.bundle_width(link);
      most = std::max(most, (++loads_[graph_.bundle_link(link)] + width - 1) / width);
    });
  }
  return most;
}

}  // namespace weft
