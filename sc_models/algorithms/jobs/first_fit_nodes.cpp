// The free nodes with the lowest numbers, in ascending order.

#include "algorithms/jobs/node_policy.h"

namespace weft::jobs {
namespace {

class FirstFit final : public NodePolicy {
 public:
  std::optional<std::vector<NodeId>> choose(const NodeSet& free, const Job& job, std::uint32_t) override {
    std::vector<NodeId> nodes;
    nodes.reserve(job.nodes);
    for (auto n = free.find_first(); nodes.size() < job.nodes; n = free.find_next(n)) {
      if (n == NodeSet::npos) return std::nullopt;
      nodes.push_back(static_cast<NodeId>(n));
    }
    return nodes;
  }
};

}  // namespace

extern const NodePolicyEntry kFirstFitNodes;
constinit const NodePolicyEntry kFirstFitNodes{
    "first_fit", "the free nodes with the lowest numbers",
    [](const Graph&, std::uint64_t) -> std::unique_ptr<NodePolicy> { return std::make_unique<FirstFit>(); }};

}  // namespace weft::jobs
