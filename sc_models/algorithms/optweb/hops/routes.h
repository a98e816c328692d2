#pragma once
// Transfers and exchanges between nodes that have no link (docs/optweb_two_hops.md): rounds of transfers over one link
// each. What goes from a node to another one rests in the own stripes of the nodes between them, at `scratch` after the
// first hop, at `scratch2` after the second one, and so on in turn.

#include <cstdint>
#include <vector>

#include "algorithms/optweb/emitter.h"
#include "algorithms/optweb/neighbours.h"

namespace weft::optweb {

/// Transfer over one link: the whole route of some data, or one of its hops.
struct Leg {
  NodeId from = 0;
  NodeId to = 0;
  bool rested = false;        ///< the data rest at `from`
  bool rests = false;         ///< the data rest at `to`
  bool second = false;        ///< there, at `scratch2`
  bool sent_second = false;   ///< they rest at `from` at `scratch2`
  std::uint64_t sent = 0;     ///< relative address at which they rest at `from`
  std::uint64_t resting = 0;  ///< the same at `to`
};
/// Every node sends at most once in a round, and receives at most once.
using LegRound = std::vector<Leg>;

/// The rounds of a transfer or of a sendrecv by `shift` of which some data go several hops; none when a hop is enough.
/// All first hops come before all second ones, these before all third ones, so that no node stores and reads data that
/// rest in the same area at the same time.
std::vector<LegRound> relay_rounds(const Neighbours& neighbours, const ProgramInstruction& in);

/// Most hops from a node to another one in such an instruction.
std::uint32_t most_hops(const Neighbours& neighbours, const ProgramInstruction& in);

/// The part of node `n` in such rounds.
void emit_rounds(Emitter& out, const std::vector<LegRound>& rounds, NodeId n);

}  // namespace weft::optweb
