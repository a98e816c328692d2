#pragma once
// What one instruction is for one node: which readers stream from where to which links, which writers take what from
// which links, and who is to be notified. This is what the control register of the distributed switch and the
// dispatcher of M_DMAC make of an instruction.
//
// Placement (Figure 4 of the paper named in optweb/link_sync.h): what node m has for node n lies in stripe n and is
// read by R#n, what comes from node n is written to stripe n by W#n. What is copied to many nodes is read once: by R#m
// of its owner m. A node's own part of a collective passes from the sending to the receiving side inside the switch.
//
// Chunked instructions make up multipath routing: the data of a transfer are cut into one chunk per node of the group,
// chunk i in stripe i. A scatter (to `destination`) takes them to the nodes of the group, which keep them in stripe
// `destination`, a gather (from `source`) takes them on; the source sends its own chunk in the gather, the destination
// gets its own in the scatter. A broadcast is a scatter into each node's own stripe and an allgather.

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "optweb/command_sequencer.h"
#include "optweb/stripe_address.h"

namespace weft::optweb {

/// Bits of Instruction::flags.
inline constexpr std::uint8_t kChunked = 1;    ///< the size is that of all chunks together
inline constexpr std::uint8_t kOwnStripe = 2;  ///< chunked scatter: every node keeps its chunk in its own stripe

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

struct Step {
  std::vector<Stream> streams;
  std::vector<Receive> receives;
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
};

Step expand(const Instruction& instruction, const NodeView& view, StripeAddressIf& addresses);

/// Bytes of the chunk of the n-th of `count` nodes: all have equally many words, but for the last ones.
std::uint64_t chunk_bytes(std::uint64_t bytes, std::size_t count, std::size_t n, std::uint32_t word_bytes);

}  // namespace weft::optweb
