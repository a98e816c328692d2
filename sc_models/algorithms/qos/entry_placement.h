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
// (entry_sequence.h). The general problem (pinwheel scheduling) is hard, so the searches are limited; a failure says
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

}  // namespace weft
