#pragma once
// The best shares when every node gets its share as one message (cut-through): branches fed as queues.
//
// The nodes are split into connected branches, one behind each link out of a source (one of parallel links). A source
// sends one message after the other into a branch, each at the pace of the slowest link on its way, so that no message
// waits on the way and at most one is on its way in a branch. A linear program finds the best sizes for these branches
// and orders. With equal speeds the order does not matter, the shares of a branch fall by 1 - sigma from message to
// message, and the speedup is branches_speedup (closed_form.h), the larger the more equal the branches are; the
// split is made as equal in nodes as a local search gets it. With unequal speeds, or loads given to the sources, faster
// ways come first and the best split is found among all (best_split), in networks that are small enough.

#include <vector>

#include "algorithms/dlt/simulate.h"

namespace weft::dlt {

// Branch: the nodes behind one link out of a source, fed as a queue (algorithms/dlt/branches.h).

struct Branch {
  Source source;
  std::vector<Message> queue;  ///< in the order of sending; amounts are filled in by best_branches
};

/// The branch of the nodes `members` behind the link to `head`, one of them: along the paths whose slowest link is as
/// fast as possible, then with fewest hops; the fastest way first. Only nodes that compute and can be reached are in
/// it.
Branch widest_tree(const Network& network, const Source& source, NodeIndex head, const std::vector<bool>& members);
/// Time per load of the slowest link on a message's way.
double slowest(const Network& network, const Message& m);

struct BranchPlan {
  double finish = 0;           ///< T
  std::vector<double> shares;  ///< by node
  std::vector<Branch> branches;
  std::vector<std::uint64_t> sizes() const;
  std::vector<Message> messages() const;  ///< of all branches, and what the sources keep
};

/// True when speeds are equal and no source has a given load. Else make_branches is for kMostSplitNodes nodes
/// besides the sources.
bool equal_branches_are_best(const Network& network, const std::vector<Source>& sources);

/// Splits the nodes into branches. Precondition: all nodes that compute can be reached.
BranchPlan make_branches(const Network& network, const std::vector<Source>& sources);

/// Fills in shares, amounts and finish time. False, and nothing filled in, when the given load of a source can go
/// nowhere (it does not compute, and other sources feed all its neighbours). Throws RunError when GLPK fails.
bool best_branches(const Network& network, const std::vector<Source>& sources, BranchPlan& plan);

// The best split of a network into branches when speeds or the sources' loads differ, by trying all of them.
//
// What a branch computes per unit of time depends on its nodes alone: along the widest ways from its head, the node
// with the fastest way first (of two neighbours in the queue with paces p and q it is better to serve the smaller one
// first, whatever they compute), each node as much as fits. With r of the time left, a node of pace p and inverse speed
// w takes r / max(p, w), and leaves r (1 - p / max(p, w)). So the best split is found over sets of nodes: for every
// root link the best that it and those before it make of a set. That takes 3^nodes steps.

/// Largest number of nodes, sources not counted, for which the best split is looked for.
inline constexpr std::size_t kMostSplitNodes = 15;

/// Branches of the best split. Precondition: at most kMostSplitNodes nodes are no sources; all nodes that compute can
/// be reached.
std::vector<Branch> best_split(const Network& network, const std::vector<Source>& sources);

}  // namespace weft::dlt
