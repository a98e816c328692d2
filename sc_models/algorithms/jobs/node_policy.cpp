#include "algorithms/jobs/node_policy.h"

namespace weft::jobs {

const std::vector<NodePolicyEntry>& node_policies() {
  static const std::vector<NodePolicyEntry> list{
      {"first_fit", "the free nodes with the lowest numbers", make_first_fit_nodes},
      {"contiguous", "a compact box of the grid (elsewhere consecutive numbers), else the job waits",
       make_contiguous_nodes},
      {"random", "free nodes at random, drawn per job from the seed", make_random_nodes},
  };
  return list;
}

}  // namespace weft::jobs
