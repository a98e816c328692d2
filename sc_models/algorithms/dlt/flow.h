#pragma once
// The best shares when links have their capacity: a linear program over flows.
//
// Variables: the rate at which each node computes (at most 1 / its time), the rate on each link (at most 1 / its
// time), the rate at which each source gives out load; at every node what comes in is what it computes and what
// leaves. The largest total rate R gives the finish time T = 1/R and the shares rate_i / R.
//   No schedule is faster: whatever it does, averaged over its makespan it computes, sends and conserves load within
//   these limits. It is reached: load that flows at these constant rates from time 0 is computed as it arrives. Real
//   messages come as near as one likes: cut into K equal rounds, round r doing its hop h in the (r + h)-th stretch of
//   T / K, with whole pieces relayed (store and forward, the slowest of the switching kinds), they finish by
//   T (1 + H / K), H the longest path: no stretch asks more than T / K of a link or node. So the
//   result does not depend on the switching, and the only thing it asks of the network is that load may be cut and
//   interleaved; branches.h has the best shares when it may not.
// Among all flows of rate R a second program takes one with the least traffic times link time.

#include "algorithms/dlt/simulate.h"

namespace weft::dlt {

struct FlowSolution {
  double finish = 0;               ///< T
  std::vector<double> shares;      ///< by node; sum 1
  std::vector<double> link_loads;  ///< by link: part of the load that passes it
  /// Sensitivity: how much faster everything gets, d(1/T) / d(1/time), when that node or link alone gets faster. 0: it
  /// does not bind. Where several sets of links or nodes bind in turn, one of them is named.
  std::vector<double> node_prices;
  std::vector<double> link_prices;
};

/// Throws RunError when GLPK fails. Precondition: at least one node computes and can be reached, links and nodes have
/// times above 0, and the given loads of the sources are all 0 or sum to 1.
FlowSolution best_flow(const Network& network, const std::vector<Source>& sources);

/// The flow as whole messages of single paths, cut into `rounds` rounds in stretches of T / rounds.
std::vector<Message> flow_messages(const Network& network, const std::vector<Source>& sources, const FlowSolution& flow,
                                   std::uint32_t rounds);

/// Longest path of these messages.
std::size_t longest_path(const std::vector<Message>& messages);

/// No schedule exceeds this: the sources compute and send on all their links all the time, or all nodes compute all
/// the time. As a speedup over the fastest source; 1 + p / sigma in a homogeneous network with one source of p links.
double speedup_bound(const Network& network, const std::vector<Source>& sources);

/// Time of the fastest source alone, to which speedups refer; relays count not at all (then the fastest node).
double reference_time(const Network& network, const std::vector<Source>& sources);

}  // namespace weft::dlt
