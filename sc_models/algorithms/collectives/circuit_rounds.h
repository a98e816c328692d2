#pragma once
// Collective operations over circuits: rounds of messages, each over a circuit of its own from a node to another or, by
// multicast, to several. Circuits of a round are in place at the same time; between rounds they may change.
//
//   broadcast            one multicast from the root
//   allgather, barrier   one round of multicasts, from every node to all others
//   scatter, gather      one round of circuits between the root and the others
//   alltoall             one round of circuits between all pairs
//   reductions           the rounds of algorithms/collectives/schedule.h, each with circuits for its messages alone: a
//                        node that has nothing to send or receive in a round has no circuit in it

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/collectives/lowering.h"
#include "algorithms/collectives/program.h"

namespace weft::collectives {

struct CircuitMessage {
  NodeId source = 0;
  std::vector<NodeId> destinations;  ///< ascending
  std::uint64_t bytes = 0;
  bool combine = false;  ///< received: combined with what the node has
};

struct CircuitRounds {
  std::string algorithm;
  std::vector<std::vector<CircuitMessage>> rounds;
};

/// Precondition: a collective operation (is_collective). A single node has no rounds.
CircuitRounds circuit_rounds(const ProgramInstruction& collective);

/// Rounds of each node from the messages of all.
class NodeRounds {
 public:
  explicit NodeRounds(std::uint32_t nodes) : rounds_(nodes) {}
  void add(std::uint32_t step, const CircuitMessage& message);
  /// [node], by step. A node sends to the next one first, so that not all messages to one node leave first or last.
  std::vector<std::vector<NodeRound>> take();

 private:
  std::vector<std::map<std::uint32_t, NodeRound>> rounds_;  // [node][step]
};

}  // namespace weft::collectives
