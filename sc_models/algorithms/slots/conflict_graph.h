#pragma once
// Explicit conflict graph of a colouring problem, for the tabu search, and its exact reduction for a number
// of colours.

#include <optional>
#include <vector>

#include "algorithms/slots/coloring.h"
#include "base/random.h"

namespace weft {

/// Neighbours of item v: neighbors[begin[v]] .. neighbors[begin[v + 1] - 1], each once.
struct ConflictGraph {
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> neighbors;
  std::size_t items() const { return begin.size() - 1; }
};

/// Empty when there would be more than `most` neighbour entries.
std::optional<ConflictGraph> make_conflict_graph(const ColoringProblem& problem, std::size_t most);

/// Rest of a colouring problem for a number of colours. Items with fewer conflicts than colours are set aside again
/// and again: such an item always finds a colour once the rest is coloured. What remains falls into parts
/// without conflicts between them. So the graph has a colouring exactly when every part has one.
struct Kernel {
  struct Part {
    ConflictGraph graph;
    std::vector<std::uint32_t> items;  ///< number in the part -> item
  };
  std::vector<Part> parts;               ///< smallest first
  std::vector<std::uint32_t> set_aside;  ///< in the order in which they find a colour after the parts
};
Kernel make_kernel(const ConflictGraph& graph, std::uint32_t colors);

// Tabu colouring (Hertz and de Werra, "Using tabu search techniques for graph coloring", Computing 1987): all
// items have one of k colours, some conflict; the best single recolouring of a conflicting item that is not
// forbidden is made, again and again. An item may not take back a colour it had for 0.6 times the number of
// conflicting items plus up to 9 moves (Galinier and Hao, 1999), unless that beats the best so far.

/// Changes `coloring` (all colours below `colors`) until no two neighbours have the same colour, with at most
/// `iterations` moves, which are taken off `iterations`. False when they are used up; `coloring` is then of
/// no use.
bool tabu_coloring(const ConflictGraph& graph, std::uint32_t colors, std::uint64_t& iterations, RandomStream& random,
                   Coloring& coloring);

/// Memory tabu_coloring needs for so many items and colours.
constexpr std::size_t tabu_bytes(std::size_t items, std::size_t colors) { return items * colors * 12; }

}  // namespace weft
