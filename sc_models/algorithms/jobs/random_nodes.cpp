// Free nodes at random: a partial shuffle of the free nodes, from a stream of the job's own. A job draws the same nodes
// whenever the same nodes are free.

#include <fmt/format.h>

#include "algorithms/jobs/node_policy.h"

namespace weft::jobs {
namespace {

class RandomNodes final : public NodePolicy {
 public:
  explicit RandomNodes(std::uint64_t seed) : seed_(seed) {}

  std::optional<std::vector<NodeId>> choose(const NodeSet& free, const Job& job, std::uint32_t draw) override {
    nodes_.clear();
    for (auto n = free.find_first(); n != NodeSet::npos; n = free.find_next(n)) {
      nodes_.push_back(static_cast<NodeId>(n));
    }
    if (nodes_.size() < job.nodes) return std::nullopt;
    RandomStream random(seed_, draw == 0 ? fmt::format("nodes of job {}", job.id)
                                         : fmt::format("nodes of job {}, draw {}", job.id, draw));
    for (std::size_t i = 0; i < job.nodes; ++i) std::swap(nodes_[i], nodes_[i + random.below(nodes_.size() - i)]);
    return std::vector<NodeId>(nodes_.begin(), nodes_.begin() + job.nodes);
  }

  std::uint32_t draws() const override { return kDraws; }

 private:
  static constexpr std::uint32_t kDraws = 64;
  std::uint64_t seed_;
  std::vector<NodeId> nodes_;
};

}  // namespace

extern const NodePolicyEntry kRandomNodes;
constinit const NodePolicyEntry kRandomNodes{
    "random", "free nodes at random, drawn per job from the seed",
    [](const Graph&, std::uint64_t seed) -> std::unique_ptr<NodePolicy> { return std::make_unique<RandomNodes>(seed); },
    true};

}  // namespace weft::jobs
