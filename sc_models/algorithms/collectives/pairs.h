#pragma once
// Which nodes send messages to which in programs, known before they run: networks whose circuits are planned ahead need
// a circuit for each such pair.

#include <cstdint>
#include <vector>

#include "algorithms/collectives/program.h"

namespace weft::collectives {

/// What a node sends to another.
struct PairMessages {
  NodeId source = 0;
  NodeId destination = 0;
  std::uint64_t shortest = 0;  ///< bytes of a message
  std::uint64_t longest = 0;
  Location where;          ///< of the first instruction that sends
  Location longest_where;  ///< of the first one that sends so much
};

/// All ordered pairs of nodes that send messages, by source, then destination. A send that nobody receives counts too.
std::vector<PairMessages> pairs_of(const std::vector<NodeProgram>& programs);

}  // namespace weft::collectives
