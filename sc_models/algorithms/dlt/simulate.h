#pragma once
// Event simulation of a distribution: messages over links of finite capacity, and the computing of what they carry.
//
// Every message is a part of the load that goes over a given path to one node. A link carries one message at a time,
// in the order in which they become ready at it (equal times: in the order of the list), never faster than it
// receives it: it is busy from the start of the message until its last bit has passed. Under cut-through a message is
// ready at the next link when its head arrives there, under both kinds of store and forward when it is complete. A
// node computes its messages one after the other in the order of arrival, each from its head (from its last bit under
// pure store and forward), and never ahead of what it has received. Links have no latency and nodes store without
// limit. Rates change only at starts and ends, so the times are exact but for the rounding of doubles.

#include <vector>

#include "algorithms/dlt/network.h"

namespace weft::dlt {

struct Message {
  NodeIndex node = 0;           ///< that computes it
  double amount = 0;            ///< part of the load
  std::vector<LinkIndex> path;  ///< empty: it is there from the beginning
  double release = 0;           ///< not sent before
  double stage = 0;             ///< hop h (from 0) does not begin before release + h * stage
};

/// One message on one link, or in one node's processor.
struct Activity {
  std::uint32_t message = 0;
  std::uint32_t place = 0;  ///< link or node
  double start = 0;
  double end = 0;
};

struct Distribution {
  std::vector<Activity> transfers;     ///< in order of start
  std::vector<Activity> computations;  ///< in order of arrival
  std::vector<double> finish;          ///< by node; 0 for a node that computes nothing
  std::vector<double> link_busy;       ///< by link, total
  double makespan = 0;
};

/// Precondition: every path starts where its load is and is connected (plans of this folder are).
Distribution simulate(const Network& network, const std::vector<Message>& messages, DltSwitching switching);

// How the shares of the paper's model travel when they are simulated: along a tree of shortest paths.
//
// Nodes join the tree in order of distance, then number; each is fed by one of its neighbours that are one hop nearer.
// The shares leave the injection node in the same order, so every link out of it has a queue by distance. The paper
// leaves open which neighbour feeds a node; where a layer has more nodes than links this decides the finish time.

/// One message per node other than the source, in the order in which they are sent. `shares`: by node.
/// fewest_nodes: over the link out of the source that feeds the fewest nodes so far; least_load: the one with the least
/// load so far; dimension_order: x first (mesh, torus, hypercube; throws InputError at `where` otherwise).
/// Ties go to the neighbour with the lowest number. Precondition: every node that has a share is reached.
std::vector<Message> tree_messages(const Network& network, NodeIndex source, const std::vector<double>& shares,
                                   DltRoutes rule, const Location& where);

}  // namespace weft::dlt
