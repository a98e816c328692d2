#pragma once
// Divisible load on a single-level tree: one node has the load and one interface, over which it sends every other node
// its share, one message after the other. That is what a network of switches offers a node, whatever its topology.
//
// Model. The root computes while it sends (front end); a node computes a message once it is complete and receives the
// next one meanwhile. With several rounds (multi-installment distribution) every node gets its share in as many
// messages: all nodes in their order, then all of them again. With results, a node returns `results` times its share in
// one message after its last computation; the interface of the root receives one message at a time, in the order of the
// nodes, while it sends. Times are for the whole load, in units of w*Tcp, as in network.h.
//
// Sources: Cheng and Robertazzi, "Distributed computation with communication delay" (1988) and Bharadwaj, Ghose, Mani,
// Robertazzi, "Scheduling divisible loads in parallel and distributed systems" (1996): sequential distribution with
// front ends, equal finish times, multi-installment.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::dlt {

struct StarProblem {
  double root = 1;            ///< time of the root for the whole load
  bool root_computes = true;  ///< false: it only distributes
  std::vector<double> times;  ///< of the other nodes, in the order in which they are served; at least one
  double link = 0;            ///< time of the interface for the whole load
  std::uint32_t rounds = 1;
  double results = 0;  ///< size of the result over that of the load; 0: nothing is returned
};

/// Parts of the load: what the root keeps, and one message per round and node.
struct StarShares {
  double root = 0;
  std::vector<std::vector<double>> messages;  ///< [round][node]
  double of(std::size_t node) const;          ///< over all rounds
};

struct StarPlan {
  StarShares shares;
  double finish = 0;
};

/// Largest number of messages, rounds times nodes, for which best_star() is asked: some ten seconds.
inline constexpr std::size_t kMostStarMessages = 2048;

/// The shares that finish first, by linear program: size of each message, end of its transfer, of its computation and
/// of the result's transfer; the latest end is minimized. Throws RunError when GLPK fails.
StarPlan best_star(const StarProblem& problem);

/// Shares with equal finish times, without results, in closed form. One round: share k takes as much of the time that
/// is left as it needs to be sent and computed, a_k = a_(k-1) w_(k-1) / (z + w_k). The root computes.
StarPlan equal_finish_star(const StarProblem& problem);

/// When a node begins to compute a message.
enum class StarCompute { while_receiving, when_complete };

/// In which order the root receives results: that of the nodes, as in the linear program, or that in which they are
/// ready.
enum class StarResults { by_node, as_ready };

/// Finish time of these shares, whatever is best.
double star_finish(const StarProblem& problem, const StarShares& shares, StarCompute compute, StarResults order);

}  // namespace weft::dlt
