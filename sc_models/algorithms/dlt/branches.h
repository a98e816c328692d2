#pragma once
// The best shares when every node gets its share as one message (cut-through): branches fed as queues.
//
// The nodes are split into connected branches, one behind each link out of a source (one of parallel links). A source
// sends one message after the other into a branch, each at the pace of the slowest link on its way, so that no message
// waits on the way and at most one is on its way in a branch. A linear program finds the best sizes for these branches
// and orders. With equal speeds the order does not matter, the shares of a branch fall by 1 - sigma from message to
// message, and the speedup is branches_speedup (closed_form.h), the larger the more equal the branches are; the
// split is made as equal in nodes as a local search gets it. With unequal speeds, or loads given to the sources, faster
// ways come first and the best split is found among all (best_split.h), in networks that are small enough.

#include "algorithms/dlt/branch.h"

namespace weft::dlt {

struct BranchPlan {
  double finish = 0;           ///< T
  std::vector<double> shares;  ///< by node
  std::vector<Branch> branches;
  std::vector<std::uint64_t> sizes() const;
  std::vector<Message> messages() const;  ///< of all branches, and what the sources keep
};

/// True when speeds are equal and no source has a given load. Else make_branches is for kMostSplitNodes nodes
/// (best_split.h) besides the sources.
bool equal_branches_are_best(const Network& network, const std::vector<Source>& sources);

/// Splits the nodes into branches. Precondition: all nodes that compute can be reached.
BranchPlan make_branches(const Network& network, const std::vector<Source>& sources);

/// Fills in shares, amounts and finish time. False, and nothing filled in, when the given load of a source can go
/// nowhere (it does not compute, and other sources feed all its neighbours). Throws RunError when GLPK fails.
bool best_branches(const Network& network, const std::vector<Source>& sources, BranchPlan& plan);

}  // namespace weft::dlt
