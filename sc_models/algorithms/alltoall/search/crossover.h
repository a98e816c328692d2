#pragma once
// A child of two colourings: blocks of slots are taken over whole, in turn from either parent, always the one that
// settles the most connections not yet settled; what is left goes to slots at random. Source: Galinier and Hao, "Hybrid
// evolutionary algorithms for graph coloring" (1999), with blocks of slots in the place of colours.

#include "algorithms/alltoall/search/orbit_tabu.h"

namespace weft::alltoall {

/// `first` gives the first block.
OrbitSlots crossover(const OrbitColoring& problem, const OrbitSlots& first, const OrbitSlots& second,
                     RandomStream& random);

/// Orbits whose slot differs, slots being matched so that few do (the largest overlaps first).
std::uint32_t distance(const OrbitColoring& problem, const OrbitSlots& first, const OrbitSlots& second);

/// A slot for every orbit, those with many conflicts first, each where it has the fewest so far.
OrbitSlots greedy_slots(const OrbitColoring& problem, RandomStream& random);

}  // namespace weft::alltoall
