#pragma once
// The fewest credits a round of an arbitration table has when every service level (SL) gets its share exactly, and what
// that asks of each entry.
//
// SL j has n_j entries of at least MTU_j credits, and these are to be phi_j of the round: the round has at least the
// largest n_j * MTU_j / phi_j. So SL i needs entries of phi_i / n_i of that, on average, and it can have them if and
// only if that is at most M. k and w (decoupling.h) say the same in tenths, rounded up, and w * GMTU need not be whole;
// here all is exact. Where k is given, the round is the pool that it makes.

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/qos/entry_placement.h"
#include "algorithms/qos/table_request.h"

namespace weft {

class LeastRound {
 public:
  /// `counts`: n of each SL; all sizes within the limits of table_request.h.
  LeastRound(const TableRequest& request, std::vector<std::uint32_t> counts);

  /// Whether entries of at most `most` credits are enough for the SL; for all of them.
  bool enough(std::size_t level, std::uint64_t most) const;
  bool enough_for_all(std::uint64_t most) const;

  std::uint64_t credits() const;                         ///< of the round, rounded up
  std::size_t from() const { return from_; }             ///< the SL that makes it so large, but for k
  bool from_k() const { return from_k_; }                ///< it is the pool of the given k
  std::size_t hardest() const;                           ///< the SL that needs the largest entries
  std::uint64_t entry_credits(std::size_t level) const;  ///< what it needs, rounded up
  /// With which `most`, above 0, is enough.
  std::uint64_t fewest_entries(std::size_t level, std::uint64_t most) const;

 private:
  const TableRequest& request_;
  std::vector<std::uint32_t> counts_;
  std::size_t from_ = 0;
  bool from_k_ = false;
  std::uint64_t size_ = 0;  // the round has size_ / parts_ credits
  std::uint64_t parts_ = 1;
};

/// The distances of the request, to be placed.
PlacementRequest placement_of(const TableRequest& request);
/// Entries of each SL when they are placed; nothing when no way is found.
std::optional<std::vector<std::uint32_t>> placed_counts(const TableRequest& request);
/// Whether the request has a table with entries of at most `most` credits that gives every SL its share.
bool has_table(const TableRequest& request, std::uint64_t most);

}  // namespace weft
