#pragma once
// The best split of a network into branches when speeds or the sources' loads differ, by trying all of them.
//
// What a branch computes per unit of time depends on its nodes alone: along the widest ways from its head, the node
// with the fastest way first (of two neighbours in the queue with paces p and q it is better to serve the smaller one
// first, whatever they compute), each node as much as fits. With r of the time left, a node of pace p and inverse speed
// w takes r / max(p, w), and leaves r (1 - p / max(p, w)). So the best split is found over sets of nodes: for every
// root link the best that it and those before it make of a set. That takes 3^nodes steps.

#include "algorithms/dlt/branch.h"

namespace weft::dlt {

/// Largest number of nodes, sources not counted, for which the best split is looked for.
inline constexpr std::size_t kMostSplitNodes = 15;

/// Branches of the best split. Precondition: at most kMostSplitNodes nodes are no sources; all nodes that compute can
/// be reached.
std::vector<Branch> best_split(const Network& network, const std::vector<Source>& sources);

}  // namespace weft::dlt
