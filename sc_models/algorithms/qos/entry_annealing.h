#pragma once
// Search for a table by simulated annealing, where entry_sequence.h gives up.
//
// A search position by position settles how the table begins before it knows whether the end will meet the beginning,
// and then tries one ending after the other. Annealing works on a full table instead, around which no place is special:
// every position belongs to some SL, and what is to be brought to 0 is how far the gaps exceed the distances, in all.
// One step gives a position to another SL or exchanges two near ones. It cannot show that there is no table.
//
// Source: Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", Science 220 (1983).

#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

/// The SL of each position, or nothing when the steps run out. Preconditions: entries >= 1; distances from 1 to
/// `entries`, at least one. Deterministic: random numbers from a fixed seed, decisions in whole numbers.
std::optional<std::vector<std::size_t>> anneal_table(std::uint32_t entries,
                                                     const std::vector<std::uint32_t>& distances);

}  // namespace weft
