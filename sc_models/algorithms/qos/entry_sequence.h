#pragma once
// Search for a table in which every service level comes back within its distance, position by position: the last resort
// of entry_placement.h, for distances that neither fit with the least number of entries nor when rounded.
//
// Each position in turn goes to an SL, the one whose next entry is due first being tried first; a further entry never
// does harm, so no position is left free until the end, when entries that no distance needs are taken out again. What
// is still to come depends only on when each SL is due and where the table's first entries are; where that has failed
// once it is not tried again, so that small requests are settled either way. Where the search gives up,
// entry_annealing.h takes over.

#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

struct SequenceResult {
  std::optional<std::vector<std::vector<std::uint32_t>>> positions;  ///< of each SL, ascending
  bool exhausted = false;  ///< no result because there is none; else the search gave up
};

/// Preconditions: entries >= 1; distances of at least 1, at least one of them. Deterministic.
SequenceResult search_sequence(std::uint32_t entries, std::vector<std::uint32_t> distances);

}  // namespace weft
