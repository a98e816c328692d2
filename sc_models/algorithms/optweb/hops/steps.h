#pragma once
// Collectives of nodes that do not all have links to each other: what the command sequencers make of them
// (docs/optweb_two_hops.md). They take a step for each level of the network that their nodes span, each among the nodes
// that differ at that level only. What is on its way rests in two areas in turn, `scratch` and `scratch2`.

#include <optional>

#include "algorithms/optweb/emitter.h"
#include "algorithms/optweb/hops/node_grid.h"

namespace weft::optweb {

/// The nodes of a collective that takes several steps, when one is not enough.
std::optional<NodeGrid> step_grid(const OptwebConfig& config, const ProgramInstruction& in);

/// The part of node `n` in a collective of the nodes `grid`; `chunks`: by all paths, for broadcast and allreduce.
void emit_steps(Emitter& out, const OptwebConfig& config, const NodeGrid& grid, bool chunks, NodeId n);

}  // namespace weft::optweb
