#pragma once
// From an instruction of a program to what one node does for it on a network of messages: a computation, or rounds of
// messages (algorithms/collectives/schedule.h). A node's messages to itself are copies that take no time, so they do
// not appear.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/collectives/algorithms.h"
#include "algorithms/collectives/program.h"
#include "algorithms/collectives/schedule.h"

namespace weft::collectives {

struct NodeMessage {
  NodeId peer = 0;
  std::uint64_t bytes = 0;
  bool combine = false;  ///< received: combined with what the node has
  /// Sent once to several nodes, instead of to the peer; ascending.
  std::shared_ptr<const std::vector<NodeId>> group{};
};

struct NodeRound {
  std::vector<NodeMessage> sends;
  std::vector<NodeMessage> receives;
  std::uint32_t step{};  ///< of a collective over circuits: the one of its steps that the messages belong to
};

/// Work of a node for one instruction.
struct NodeWork {
  bool takes_part = false;
  const char* algorithm = "";
  Cycle compute = 0;
  std::vector<NodeRound> rounds;    ///< of the window
  std::uint32_t rounds_in_all = 0;  ///< those outside of it included
};

NodeWork lower(const ProgramInstruction& instruction, NodeId node, RoundWindow window = {},
               const CollectiveAlgorithms& algorithms = {});

/// Whether messages of two instructions may belong together: both are the same operation of the same nodes, or both
/// are between two nodes.
bool match(const ProgramInstruction& a, const ProgramInstruction& b);

// Which nodes send messages to which in programs, known before they run: networks whose circuits are planned ahead need
// a circuit for each such pair.

/// Messages of a node to another.
struct PairMessages {
  NodeId source = 0;
  NodeId destination = 0;
  std::uint64_t shortest = 0;  ///< bytes of a message
  std::uint64_t longest = 0;
  Location where;          ///< of the first instruction that sends
  Location longest_where;  ///< of the first one that sends so much
};

/// Messages that the nodes have under way at once, at most, when none of them runs ahead of the others.
struct InFlightEstimate {
  std::uint64_t messages = 0;
  const ProgramInstruction* instruction = nullptr;  ///< with most of them; null: there are none
};
InFlightEstimate messages_at_once(const std::vector<NodeProgram>& programs,
                                  const CollectiveAlgorithms& algorithms = {});

/// All ordered pairs of nodes that send messages, by source, then destination. A send that nobody receives counts too.
std::vector<PairMessages> pairs_of(const std::vector<NodeProgram>& programs,
                                   const CollectiveAlgorithms& algorithms = {});

}  // namespace weft::collectives
