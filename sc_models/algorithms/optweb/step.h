#pragma once
// Step of one node for one instruction: which readers stream from where to which links, which writers take what from
// which links, and who is to be notified. This is what the control register of the distributed switch and the
// dispatcher of M_DMAC make of an instruction.
//
// Placement (Figure 4 of the paper named in algorithms/optweb/link_sync.h): what node m has for node n lies in stripe n
// and is read by R#n, what comes from node n is written to stripe n by W#n. What is copied to many nodes is read once:
// by R#m of its owner m. A node's own part of a collective passes from the sending to the receiving side inside the
// switch.
// ("Stripe n" of a node is that of its DMAC for node n, which is number n in a full mesh;
// algorithms/optweb/neighbours.h.)
//
// Reductions: what comes from all nodes of the group, the own part included, goes through the reduction unit
// (algorithms/optweb/reduction.h) to W#m of its owner m. reduce_scatter: block n of every node, in stripe n, is for
// node n. reduce, allreduce: the data of a node lie in its own stripe; of a reduce, in the stripe of the root.
//
// Chunked instructions make up multipath routing: the data of a transfer are cut into one chunk per node of the group,
// chunk i in stripe i. A scatter (to `destination`) takes them to the nodes of the group, which keep them in stripe
// `destination`, a gather (from `source`) takes them on; the source sends its own chunk in the gather, the destination
// gets its own in the scatter. A broadcast is a scatter into each node's own stripe and an allgather; an allreduce a
// reduce_scatter and an allgather.
//
// Relayed instructions make up operations of several hops (docs/optweb_two_hops.md):
//   send, sendrecv    what is sent lies in the own stripe; with kOwnStripe, what recv and sendrecv receive goes there
//   broadcast         what is sent lies in the stripe of `destination`; with kOwnStripe, what is received goes into the
//                     own one
//   scatter, reduce_scatter   what is received goes into the stripe of `destination`
//   gather            what is sent lies in the stripe of `source`
//   reduce            what is sent lies in the own stripe
//   allgather, alltoall       one of several rounds, whose number is `source`; allgather sends what came from
//                     `destination`; in an alltoall, `destination` is the number of the group of the first hop, and
//                     `size` the distance between pieces for different nodes of `group`

#include <cstddef>
#include <cstdint>

#include "algorithms/optweb/command_sequencer.h"
#include "algorithms/optweb/reduction.h"
#include "algorithms/optweb/step_parts.h"
#include "algorithms/optweb/stripe_address.h"

namespace weft::optweb {

/// Bits of MachineInstruction::flags.
inline constexpr std::uint8_t kChunked = 1;  ///< the size is that of all chunks together
inline constexpr std::uint8_t kOwnStripe =
    2;                                      ///< what is received (chunked scatter: the chunk) goes into the own stripe
inline constexpr std::uint8_t kNoRoot = 4;  ///< chunked allgather: every node lacks the chunks of all others
inline constexpr std::uint8_t kRelay = 8;   ///< one of several hops; chunked: by way of nodes outside of the groups
/// Bits 4 to 7: what a reduction does. The opcode says whether it is one.
std::uint8_t reduction_flags(const Reduction& reduction);
Reduction reduction_of(std::uint8_t flags);

/// Operation on which both ends of a transfer must agree: point-to-point instructions are all one operation, a
/// collective is its opcode with group, root and flags. Hardware does not carry it.
struct Operation {
  Opcode opcode = Opcode::kSend;
  std::uint32_t group = 0;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint8_t flags = 0;
  bool operator==(const Operation&) const = default;
};
Operation operation_of(const MachineInstruction& instruction);

Step expand(const MachineInstruction& instruction, const NodeView& view, StripeAddressIf& addresses);

/// Bytes of the chunk of the n-th of `count` nodes: all have equally many words, but for the last ones.
std::uint64_t chunk_bytes(std::uint64_t bytes, std::size_t count, std::size_t n, std::uint32_t word_bytes);

}  // namespace weft::optweb
