#pragma once
// Search for a table in which every service level comes back within its distance, position by position: the last resort
// of entry_placement.h, for distances that neither fit with the least number of entries nor when rounded.
//
// Each position in turn goes to an SL, the one whose next entry is due first being tried first; a further entry never
// does harm, so no position is left free until the end, when entries that no distance needs are taken out again.

#include <cstdint>
#include <optional>
#include <vector>

namespace weft {

struct SequenceResult {
  std::optional<std::vector<std::vector<std::uint32_t>>> positions;  ///< of each SL, ascending
  bool exhausted = false;  ///< no result because there is none; else the search gave up
};

/// Preconditions: entries >= 1; distances of at least 1, at least one of them. Deterministic.
SequenceResult search_sequence(std::uint32_t entries, const std::vector<std::uint32_t>& distances);

}  // namespace weft
