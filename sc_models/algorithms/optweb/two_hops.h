#pragma once
// Operations between nodes that do not all have links to each other: what the command sequencers make of them
// (docs/optweb.md, "Two hops"). Collectives go within the groups of a dragonfly and among the same places of all
// groups, one after the other; what goes from a node to another rests in the own stripe of the node between them.

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/optweb/emitter.h"
#include "algorithms/optweb/neighbours.h"

namespace weft::optweb {

/// The nodes of a collective that can be done in two hops, when one hop is not enough.
std::optional<NodeGrid> two_hop_grid(const OptwebConfig& config, const ProgramInstruction& in);

/// Transfer over one link: the whole route of some data, or one of its two hops.
struct Leg {
  NodeId from = 0;
  NodeId to = 0;
  bool rested = false;     ///< the data rest at `from`
  bool rests = false;      ///< the data rest at `to`
  std::uint64_t slot = 0;  ///< where they do, in sizes behind `scratch`
};
/// Every node sends at most once in a round, and receives at most once.
using LegRound = std::vector<Leg>;

/// The rounds of a transfer or of a sendrecv by `shift` of which some data go two hops; none when a hop is enough.
/// All first hops come before all second ones, so that no node stores and reads resting data at the same time.
std::vector<LegRound> relay_rounds(const Neighbours& neighbours, const ProgramInstruction& in);

/// The part of node `n` in such rounds.
void emit_rounds(Emitter& out, const std::vector<LegRound>& rounds, NodeId n);

/// The part of node `n` in a collective of the nodes `grid`; `chunks`: by all paths, for broadcast and allreduce.
void emit_two_hops(Emitter& out, const OptwebConfig& config, const NodeGrid& grid, bool chunks, NodeId n);

}  // namespace weft::optweb
