#pragma once
// Places the entries of each service level in the arbitration table so that, around the table, no two entries of an SL
// that follow one another are farther apart than its maximum distance.
//
// An SL of distance d needs at least ceil(N / d) of the N entries. Placed in order of rising distance, at regular
// distances, each SL in the positions the others left free (Cano-Cano et al., "QoS provision in hierarchical and
// non-hierarchical switch architectures", sections 4.4 and 5.3): SL 0 at 0, 2, 4 ..., SL 1 at 1, 5, 9 ... Where that
// does not work out (distances that do not divide one another), positions are searched for. Where no placement with the
// least number of entries is found, SLs get more: first by rounding distances down to divisors of N that divide one
// another, which always fits when the number of entries does; then by a search position by position and by annealing
// (below). The general problem (pinwheel scheduling) is hard, so the searches are limited; a failure says
// whether it is proven.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct PlacementRequest {
  std::uint32_t entries = 0;             ///< N, at least 1
  std::vector<std::uint32_t> distances;  ///< one per SL, at least 1; one above N asks for one entry
};

struct Placement {
  std::vector<std::vector<std::uint32_t>> positions;  ///< of each SL, ascending
  bool rounded = false;                               ///< some SL may have more entries than ceil(N / distance)
};

struct PlacementFailure {
  std::size_t level = 0;  ///< the first SL that found no room in the attempt that got farthest
  std::optional<std::uint32_t> distance_that_fits;  ///< of that SL, all else equal
  bool proven = false;                              ///< there is no placement; else none was found
};

/// ceil(N / distance)
std::uint32_t least_entries(std::uint32_t entries, std::uint32_t distance);

/// Deterministic. Exactly one of the two results is set.
struct PlacementResult {
  std::optional<Placement> placement;
  std::optional<PlacementFailure> failure;
};
PlacementResult place_entries(const PlacementRequest& request);

// Search for a table in which every service level comes back within its distance, position by position: the last resort
// of entry_placement.h, for distances that neither fit with the least number of entries nor when rounded.
//
// Each position in turn goes to an SL, the one whose next entry is due first being tried first; a further entry never
// does harm, so no position is left free until the end, when entries that no distance needs are taken out again. What
// is still to come depends only on when each SL is due and where the table's first entries are; where that has failed
// once it is not tried again, so that small requests are settled either way. Where the search gives up,
// annealing takes over.

struct SequenceResult {
  std::optional<std::vector<std::vector<std::uint32_t>>> positions;  ///< of each SL, ascending
  bool exhausted = false;  ///< no result because there is none; else the search gave up
};

/// Preconditions: entries >= 1; distances of at least 1, at least one of them. Deterministic.
SequenceResult search_sequence(std::uint32_t entries, std::vector<std::uint32_t> distances);

// Search for a table by simulated annealing, where the search position by position gives up.
//
// A search position by position settles how the table begins before it knows whether the end will meet the beginning,
// and then tries one ending after the other. Annealing works on a full table instead, around which no place is special:
// every position belongs to some SL, and what is to be brought to 0 is how far the gaps exceed the distances, in all.
// One step gives a position to another SL or exchanges two near ones. It cannot show that there is no table.
//
// Source: Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", Science 220 (1983).

/// The SL of each position, or nothing when the steps run out. Preconditions: entries >= 1; distances from 1 to
/// `entries`, at least one. Deterministic: random numbers from a fixed seed, decisions in whole numbers.
std::optional<std::vector<std::size_t>> anneal_table(std::uint32_t entries,
                                                     const std::vector<std::uint32_t>& distances);

}  // namespace weft
