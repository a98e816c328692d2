#pragma once
// Phases of an instruction of a program at one node: pieces of memory that go out and come in, between two nodes in
// order. Written from the rules of docs/optweb.md, not from what sequencers and DMACs do.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/optweb/hops/node_grid.h"
#include "algorithms/optweb/neighbours.h"
#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/phase_builder.h"

namespace weft::optweb {

class InstructionSemantics {
 public:
  explicit InstructionSemantics(const OptwebConfig& config);

  /// One after the other.
  std::vector<Phase> phases(const ProgramInstruction& in, NodeId n) const;

 private:
  using Nodes = std::vector<NodeId>;
  /// Nodes of a collective, by the levels at which they differ; those that all have links are one level.
  NodeGrid grid_of(const ProgramInstruction& in) const;

  Phase one_hop(const ProgramInstruction& in, NodeId n) const;
  std::vector<Phase> steps(const ProgramInstruction& in, NodeId n) const;
  std::vector<Phase> scatter(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  std::vector<Phase> gather(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  std::vector<Phase> broadcast(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  std::vector<Phase> alltoall(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  std::vector<Phase> allgather(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  std::vector<Phase> reduce(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  std::vector<Phase> reduce_scatter(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  std::vector<Phase> allreduce(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  /// Area in which data rest after the first, the second, ... hop.
  static std::uint64_t rest(const ProgramInstruction& in, std::size_t hop) {
    return hop % 2 == 0 ? in.scratch : in.scratch2;
  }

  std::vector<Phase> exchange(const ProgramInstruction& in, const std::vector<std::pair<NodeId, NodeId>>& pairs,
                              NodeId n) const;
  std::vector<Phase> multipath_transfer(const ProgramInstruction& in, NodeId n) const;
  std::vector<Phase> multipath_broadcast(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  std::vector<Phase> multipath_allreduce(const ProgramInstruction& in, const NodeGrid& grid, NodeId n) const;
  /// When all links are up.
  std::vector<Phase> straight(const ProgramInstruction& in, NodeId n) const;
  std::vector<Phase> detoured(const ProgramInstruction& in, const std::vector<Detour>& detours, NodeId n) const;
  /// Of the second hop of an alltoall: when the block of a place goes from one group to another.
  std::size_t alltoall_round(const ProgramInstruction& in, NodeId from, NodeId to, std::size_t place) const;
  std::vector<Phase> relayed_broadcast(const ProgramInstruction& in, NodeId n) const;
  std::vector<Phase> relayed_allreduce(const ProgramInstruction& in, NodeId n) const;
  /// visit(node, bytes) for each of `nodes` that has a chunk.
  template <class Visit>
  void chunks(const ProgramInstruction& in, const Nodes& nodes, Visit&& visit) const;

  const OptwebConfig& config_;
  Neighbours neighbours_;
};

}  // namespace weft::optweb
