#pragma once
// Policies that choose the free nodes of a job. The choice depends on nothing but the free nodes and the job, so that
// what fits once fits again when the same nodes are free.

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/jobs/job.h"
#include "network/graph.h"

namespace weft::jobs {

/// Nodes of the network; bit n set: node n is free.
using NodeSet = boost::dynamic_bitset<std::uint64_t>;

class NodePolicy {
 public:
  virtual ~NodePolicy() = default;
  /// job.nodes of the free nodes, logical node i on the i-th; nothing when the policy finds none. Called only when
  /// enough nodes are free.
  /// `draw`, below draws(): another answer to the same question.
  virtual std::optional<std::vector<NodeId>> choose(const NodeSet& free, const Job& job, std::uint32_t draw = 0) = 0;
  /// Answers there are. The first one counts; the others are for the empty network, in which a job that finds no slots
  /// would never find any.
  virtual std::uint32_t draws() const { return 1; }
};

struct NodePolicyEntry {
  const char* name;
  const char* meaning;
  std::unique_ptr<NodePolicy> (*make)(const Graph& graph, std::uint64_t seed);
  bool draws_from_seed = false;
};
/// All node policies; a new one is one file and one line in node_policy.cpp.
const std::vector<NodePolicyEntry>& node_policies();

}  // namespace weft::jobs
