#pragma once
// Parts of the step of a node (algorithms/optweb/step.h), and what a node knows of its network.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/optweb/neighbours.h"
#include "algorithms/optweb/reduction.h"
#include "algorithms/optweb/relays/detours.h"
#include "base/ids.h"

namespace weft::optweb {

/// One reader's work.
struct Stream {
  std::uint32_t reader = 0;
  std::uint64_t address = 0;  ///< physical
  std::uint64_t bytes = 0;
  std::uint8_t interfaces = 0;
  std::vector<NodeId> to;  ///< may be the node itself
};

/// One writer's work.
struct Receive {
  NodeId from = 0;  ///< may be the node itself
  std::uint32_t writer = 0;
  std::uint64_t address = 0;  ///< physical
  std::uint64_t bytes = 0;
  std::uint8_t interfaces = 0;
};

/// Share of an instruction that concerns another node, or the node itself: bytes that it sends or receives. Hardware
/// knows nothing of 0 bytes; the model does, to compare both ends.
struct Partner {
  NodeId node = 0;
  bool sends = false;  ///< to `node`
  std::uint64_t bytes = 0;
};

struct Step {
  std::vector<Stream> streams;
  std::vector<Receive> receives;       ///< with a reduction in the order of ranks, all for one writer and address
  std::optional<Reduction> reduction;  ///< of what is received
  std::vector<Partner> partners;
  std::vector<NodeId> barrier;  ///< nodes to notify and to hear from
  bool rendezvous = false;
  std::string error;  ///< not empty: the instruction cannot be executed
};

/// A node's view of the network.
struct NodeView {
  NodeId node = 0;
  std::uint32_t nodes = 0;
  std::uint32_t word_bytes = 0;
  std::uint64_t eager_buffer = 0;
  const std::vector<std::vector<NodeId>>* groups = nullptr;  ///< group register table
  const DetourRegisters* detours = nullptr;                  ///< of its groups; null: none
  Neighbours neighbours;
};

}  // namespace weft::optweb
