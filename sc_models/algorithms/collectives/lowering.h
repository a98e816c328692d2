#pragma once
// From an instruction of a program to what one node does for it on a network of messages: a computation, or rounds of
// messages (algorithms/collectives/schedule.h). A node's messages to itself are copies that take no time, so they do
// not appear.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/collectives/program.h"

namespace weft::collectives {

struct NodeMessage {
  NodeId peer = 0;
  std::uint64_t bytes = 0;
  bool combine = false;  ///< received: combined with what the node has
};

struct NodeRound {
  std::vector<NodeMessage> sends;
  std::vector<NodeMessage> receives;
};

/// What a node does for one instruction.
struct NodeWork {
  bool takes_part = false;
  const char* algorithm = "";
  Cycle compute = 0;
  std::vector<NodeRound> rounds;
};

NodeWork lower(const ProgramInstruction& instruction, NodeId node);

/// Whether messages of two instructions may belong together: both are the same operation of the same nodes, or both
/// are between two nodes.
bool match(const ProgramInstruction& a, const ProgramInstruction& b);

}  // namespace weft::collectives
