// Nodes that lie together. On a mesh or torus: the first `nodes` nodes of a box of the grid, layer by layer across one
// of the dimensions and within a layer lowest dimension first; only the last layer may be incomplete. Boxes with the
// smallest sum of side lengths are tried first (then those of least volume, then the longer in x, then layers across
// the higher dimension), at all places in order of node number. Boxes do not reach around a torus. On
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
    for (Box& box : boxes_for(job.nodes)) {
      if (box.offsets.empty()) box.offsets = offsets_of(box, job.nodes);  // most boxes are never tried
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
    std::size_t across;           // dimension of its layers
    std::vector<NodeId> offsets;  // from its lowest corner, in the order of logical nodes
  };

  bool fits(const Sides& sides, std::size_t origin) const {
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      if (origin % dims_[d] + sides[d] > dims_[d]) return false;
      origin /= dims_[d];
    }
    return true;
  }

  // All boxes whose last layer across a dimension is needed: free sides in all other dimensions. `sides`: those chosen
  // so far, 1 across.
  void list_boxes(std::uint32_t nodes, std::size_t across, std::size_t d, Sides& sides, std::vector<Box>& out) const {
    const std::uint64_t layer = volume(sides);
    if (d == dims_.size()) {
      const std::uint64_t layers = (nodes + layer - 1) / layer;
      // A box without a gap is the same across any dimension.
      if (layers > dims_[across] || (layers * layer == nodes && across + 1 != dims_.size())) return;
      out.push_back({sides, across, {}});
      out.back().sides[across] = static_cast<std::uint32_t>(layers);
      return;
    }
    if (d == across) return list_boxes(nodes, across, d + 1, sides, out);
    for (std::uint32_t side = 1; side <= dims_[d] && layer * (side - 1) < nodes; ++side) {
      sides[d] = side;
      list_boxes(nodes, across, d + 1, sides, out);
    }
    sides[d] = 1;
  }
  static std::uint64_t volume(const Sides& s) {
    return std::accumulate(s.begin(), s.end(), std::uint64_t{1}, std::multiplies<>());
  }

  std::vector<Box>& boxes_for(std::uint32_t nodes) {
    const auto [it, is_new] = boxes_.try_emplace(nodes);
    if (!is_new) return it->second;
    std::vector<Box>& all = it->second;
    for (std::size_t across = 0; across < dims_.size(); ++across) {
      Sides sides(dims_.size(), 1);
      list_boxes(nodes, across, 0, sides, all);
    }
    const auto rank = [](const Box& b) {
      return std::tuple(std::accumulate(b.sides.begin(), b.sides.end(), std::uint64_t{0}), volume(b.sides));
    };
    std::sort(all.begin(), all.end(), [&](const Box& a, const Box& b) {
      if (rank(a) != rank(b)) return rank(a) < rank(b);
      return a.sides != b.sides ? a.sides > b.sides : a.across > b.across;
    });
    return all;
  }

  std::vector<NodeId> offsets_of(const Box& box, std::uint32_t nodes) const {
    std::vector<NodeId> strides(1, 1);
    for (const std::uint32_t n : dims_) strides.push_back(strides.back() * n);
    std::vector<NodeId> offsets;
    offsets.reserve(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      NodeId offset = 0;
      std::uint32_t rest = i;
      for (std::size_t d = 0; d < dims_.size(); ++d) {
        if (d == box.across) continue;
        offset += rest % box.sides[d] * strides[d];
        rest /= box.sides[d];
      }
      offsets.push_back(offset + rest * strides[box.across]);
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
