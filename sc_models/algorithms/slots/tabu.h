#pragma once
// Tabu colouring (Hertz and de Werra, "Using tabu search techniques for graph coloring", Computing 1987): all
// items have one of k colours, some conflict; the best single recolouring of a conflicting item that is not
// forbidden is made, again and again. An item may not take back a colour it had for 0.6 times the number of
// conflicting items plus up to 9 moves (Galinier and Hao, 1999), unless that beats the best so far.

#include "algorithms/slots/conflict_graph.h"
#include "base/random.h"

namespace weft {

/// Changes `coloring` (all colours below `colors`) until no two neighbours have the same colour, with at most
/// `iterations` moves, which are taken off `iterations`. False when they are used up; `coloring` is then of
/// no use.
bool tabu_coloring(const ConflictGraph& graph, std::uint32_t colors, std::uint64_t& iterations, RandomStream& random,
                   Coloring& coloring);

/// Memory tabu_coloring needs for so many items and colours.
constexpr std::size_t tabu_bytes(std::size_t items, std::size_t colors) { return items * colors * 12; }

}  // namespace weft
