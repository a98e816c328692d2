#pragma once
// How the shares of the paper's model travel when they are simulated: along a tree of shortest paths.
//
// Nodes join the tree in order of distance, then number; each is fed by one of its neighbours that are one hop nearer.
// The shares leave the injection node in the same order, so every link out of it has a queue by distance. The paper
// leaves open which neighbour feeds a node; where a layer has more nodes than links this decides the finish time.

#include "algorithms/dlt/simulate.h"

namespace weft::dlt {

/// One message per node other than the source, in the order in which they are sent. `shares`: by node.
/// fewest_nodes: over the link out of the source that feeds the fewest nodes so far; least_load: the one with the least
/// load so far; dimension_order: x first (mesh, torus, hypercube; throws InputError at `where` otherwise).
/// Ties go to the neighbour with the lowest number. Precondition: every node that has a share is reached.
std::vector<Message> tree_messages(const Network& network, NodeIndex source, const std::vector<double>& shares,
                                   DltRoutes rule, const Location& where);

}  // namespace weft::dlt
