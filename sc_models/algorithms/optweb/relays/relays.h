#pragma once
// Multipath routing of a group by way of nodes outside of it, its relays (ours).
//
// The nodes of the group and its relays carry a chunk of the data each, chunk i in stripe i, as the nodes of the group
// alone do without relays.
//   transfer    as ever, by way of all of these nodes
//   broadcast   a scatter from the root to all of them, where the chunks rest in the stripe of the root, a fence, and
//               all of them to the group. Broadcasts that follow each other and have the same size, addresses and
//               nodes by way of which they go are one step: no link carries two chunks, since each has one source at
//               its one end and one group at its other.
//   allreduce   chunk i of all nodes of the group is combined at node i, where it rests in its own stripe, a fence, and
//               all chunks to the group. A node has one reduction unit, so each is a step of its own.
//
// Their machine instructions (algorithms/optweb/step.h) name further entries of the group register table:
//   scatter, of broadcasts          `source`: the roots
//   allgather, of broadcasts        `source`: the roots; from `destination` on, the groups in the same order
//   reduce_scatter, allgather       `destination`: the group

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/optweb/emitter.h"
#include "algorithms/optweb/optweb_config.h"

namespace weft::optweb {

/// Index behind the last of the broadcasts from `first` on that are one step; `first` when there is no broadcast by way
/// of relays.
std::size_t joint_broadcasts(const OptwebConfig& config, const std::vector<ProgramInstruction>& instructions,
                             std::size_t first);

/// The part of node `n` in the broadcasts `first` to `end` - 1 of program `program`. Relays of all of them count theirs
/// for the first one.
void emit_broadcasts(Emitter& out, const OptwebConfig& config, std::uint32_t program, std::size_t first,
                     std::size_t end, NodeId n);

/// The part of node `n` in an allreduce.
void emit_relayed_allreduce(Emitter& out, const OptwebConfig& config, NodeId n);

}  // namespace weft::optweb
