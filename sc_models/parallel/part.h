#pragma once
// Part of a network: the switches and nodes that one rank builds. Nodes are where their switch is, so only links
// between switches are cut; a network without switches is divided by its nodes. The default is the whole network, in
// one process.

#include <memory>
#include <vector>

#include "base/ids.h"
#include "network/graph.h"
#include "parallel/ranks.h"

namespace weft {

struct Part {
  Ranks* ranks = nullptr;             ///< null: the whole
  std::vector<RankId> owners;         ///< by switch; empty: the whole, or see below
  std::vector<RankId> node_owners{};  ///< by node; empty: where their switch is

  bool whole() const { return owners.empty() && node_owners.empty(); }
  bool has_switch(SwitchId s) const { return whole() || owners[s] == ranks->rank(); }
  bool has_node(const Graph& graph, NodeId n) const {
    if (!node_owners.empty()) return node_owners[n] == ranks->rank();
    return whole() || has_switch(graph.attachment(n).sw);
  }
};

/// The switches of a network dealt to so many ranks: each gets about the same number of ports, and few links are cut
/// (METIS; Karypis and Kumar, SIAM J. Sci. Comput. 20(1), 1998). The same on every rank and machine. Throws RunError
/// for more ranks than switches, and where Weft was built without MPI.
std::vector<RankId> cut_network(const Graph& graph, RankId ranks);

}  // namespace weft
