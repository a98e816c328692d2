#include "algorithms/jobs/node_policy.h"

namespace weft::jobs {

extern const NodePolicyEntry kFirstFitNodes, kContiguousNodes, kRandomNodes;

const std::vector<NodePolicyEntry>& node_policies() {
  static const std::vector<NodePolicyEntry> list{
      kFirstFitNodes,
      kContiguousNodes,
      kRandomNodes,
  };
  return list;
}

}  // namespace weft::jobs
