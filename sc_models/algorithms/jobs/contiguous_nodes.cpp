// Nodes that lie together. On a mesh or torus: the first `nodes` nodes, lowest dimension first, of a box of the grid;
// only its last layer may be incomplete. Boxes with the smallest sum of side lengths are tried first (then those of
// least volume, then the longer in x), at all places in order of node number. Boxes do not reach around a torus. On
// other networks: the lowest run of consecutive node numbers.

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "algorithms/jobs/node_policy.h"

namespace weft::jobs {
namespace {

using Sides = std::vector<std::uint32_t>;

class Contiguous final : public NodePolicy {
 public:
  explicit Contiguous(const Graph& graph) : dims_(graph.grid().dims), nodes_(graph.nodes()) {
    if (dims_.empty() || graph.grid().nodes_per_switch != 1) dims_ = {nodes_};
  }

  std::optional<std::vector<NodeId>> choose(const NodeSet& free, const Job& job, std::uint32_t) override {
    for (const Box& box : boxes_for(job.nodes)) {
      for (auto origin = free.find_first(); origin != NodeSet::npos; origin = free.find_next(origin)) {
        if (!fits(box.sides, origin)) continue;
        const auto busy = [&](NodeId offset) { return !free.test(origin + offset); };
        if (std::any_of(box.offsets.begin(), box.offsets.end(), busy)) continue;
        std::vector<NodeId> nodes(box.offsets);
        for (NodeId& n : nodes) n += static_cast<NodeId>(origin);
        return nodes;
      }
    }
    return std::nullopt;
  }

 private:
  struct Box {
    Sides sides;
    std::vector<NodeId> offsets;  // from its lowest corner, in the order of logical nodes
  };

  bool fits(const Sides& sides, std::size_t origin) const {
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      if (origin % dims_[d] + sides[d] > dims_[d]) return false;
      origin /= dims_[d];
    }
    return true;
  }

  // All boxes whose last layer is needed: free sides in all dimensions but the last.
  void list_sides(std::uint32_t nodes, Sides& sides, std::vector<Sides>& out) const {
    const std::size_t d = sides.size();
    const std::uint64_t layer = std::accumulate(sides.begin(), sides.end(), std::uint64_t{1}, std::multiplies<>());
    if (d + 1 == dims_.size()) {
      const std::uint64_t last = (nodes + layer - 1) / layer;
      if (last > dims_[d]) return;
      out.push_back(sides);
      out.back().push_back(static_cast<std::uint32_t>(last));
      return;
    }
    for (std::uint32_t side = 1; side <= dims_[d] && layer * (side - 1) < nodes; ++side) {
      sides.push_back(side);
      list_sides(nodes, sides, out);
      sides.pop_back();
    }
  }

  const std::vector<Box>& boxes_for(std::uint32_t nodes) {
    const auto [it, is_new] = boxes_.try_emplace(nodes);
    if (!is_new) return it->second;
    std::vector<Sides> all;
    Sides sides;
    list_sides(nodes, sides, all);
    const auto rank = [](const Sides& s) {
      const std::uint64_t sum = std::accumulate(s.begin(), s.end(), std::uint64_t{0});
      const std::uint64_t volume = std::accumulate(s.begin(), s.end(), std::uint64_t{1}, std::multiplies<>());
      return std::tuple(sum, volume);
    };
    std::sort(all.begin(), all.end(),
              [&](const Sides& a, const Sides& b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a > b; });
    for (Sides& s : all) it->second.push_back({s, offsets_of(s, nodes)});
    return it->second;
  }

  std::vector<NodeId> offsets_of(const Sides& sides, std::uint32_t nodes) const {
    std::vector<NodeId> offsets;
    offsets.reserve(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      NodeId offset = 0;
      NodeId stride = 1;
      std::uint32_t rest = i;
      for (std::size_t d = 0; d < sides.size(); ++d) {
        offset += rest % sides[d] * stride;
        rest /= sides[d];
        stride *= dims_[d];
      }
      offsets.push_back(offset);
    }
    return offsets;
  }

  std::vector<std::uint32_t> dims_;
  std::uint32_t nodes_;
  std::map<std::uint32_t, std::vector<Box>> boxes_;  // by number of nodes
};

}  // namespace

extern const NodePolicyEntry kContiguousNodes;
constinit const NodePolicyEntry kContiguousNodes{
    "contiguous", "a compact box of the grid (elsewhere consecutive numbers), else the job waits",
    [](const Graph& graph, std::uint64_t) -> std::unique_ptr<NodePolicy> {
      return std::make_unique<Contiguous>(graph);
    }};

}  // namespace weft::jobs
