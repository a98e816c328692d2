#include "fabrics/tdm/plan/spread_routes.h"

#include <algorithm>
#include <utility>

namespace weft {
namespace {

class Spreading {
 public:
  Spreading(const Graph& graph, const CircuitRouting& routing, const RoutingAlgorithm& algorithm, std::uint32_t most)
      : graph_(graph), routing_(routing), algorithm_(algorithm), most_(most), load_(graph.link_count()) {}

  std::vector<Flow> spread(std::vector<Flow> flows) {
    for (const Flow& f : flows) {
      for (const CircuitTree& t : f.trees) change(t, 1);
    }
    // Links of nodes have the same load whatever the routes: no route needs to be better than the fullest of them.
    for (LinkId l = 0; l < graph_.link_count(); ++l) {
      const bool of_node =
          graph_.is_injection(l) || graph_.node_at(graph_.driver(l).sw, graph_.driver(l).port) != kNoId;
      if (of_node) enough_ = std::max(enough_, load_[l]);
    }
    std::vector<std::vector<CircuitTree>> others(flows.size());
    bool changed = true;
    for (int pass = 0; changed && pass < kMostPasses; ++pass) {
      changed = false;
      for (std::size_t f = 0; f < flows.size(); ++f) changed = improve(flows[f], others[f]) || changed;
    }
    return flows;
  }

 private:
  static constexpr int kMostPasses = 32;  // a few suffice

  void change(const CircuitTree& tree, std::int64_t by) {
    for (const TreeEdge& e : tree.edges) load_[e.link] += by;
  }
  bool crowded(const CircuitTree& tree) const {
    return std::any_of(tree.edges.begin(), tree.edges.end(),
                       [&](const TreeEdge& e) { return load_[e.link] > enough_ * graph_.bundle_width(e.link); });
  }
  // Growth of the sum of squares when the tree, which does not count now, is added.
  std::int64_t cost(const CircuitTree& tree) const {
    std::int64_t sum = 0;
    for (const TreeEdge& e : tree.edges) sum += 2 * load_[e.link] / graph_.bundle_width(e.link) + 1;
    return sum;
  }

  bool improve(Flow& flow, std::vector<CircuitTree>& others) {
    if (flow.trees.size() != 1 || flow.trees.front().destinations.size() != 1 || !crowded(flow.trees.front())) {
      return false;
    }
    CircuitTree& own = flow.trees.front();
    if (others.empty()) {
      others = minimal_trees(graph_, routing_, algorithm_, own.source, own.destinations, most_);
    }
    change(own, -1);
    const CircuitTree* best = nullptr;
    std::int64_t least = cost(own);
    for (const CircuitTree& t : others) {
      if (cost(t) >= least) continue;
      least = cost(t);
      best = &t;
    }
    if (best != nullptr) own = *best;
    change(own, 1);
    return best != nullptr;
  }

  const Graph& graph_;
  const CircuitRouting& routing_;
  const RoutingAlgorithm& algorithm_;
  std::uint32_t most_;
  std::vector<std::int64_t> load_;
  std::int64_t enough_ = 0;
};

}  // namespace

std::vector<Flow> spread_routes(const Graph& graph, const CircuitRouting& routing, const RoutingAlgorithm& algorithm,
                                std::vector<Flow> flows, std::uint32_t most) {
  return Spreading(graph, routing, algorithm, most).spread(std::move(flows));
}

}  // namespace weft
