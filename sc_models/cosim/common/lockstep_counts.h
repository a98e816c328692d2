#pragma once
// Counts of what lockstep pairs have compared: a run that found no difference says how much it looked at.

#include <cstdint>
#include <map>
#include <string>

#include "base/implementation.h"

namespace weft {

/// Name under which the pairs of a kind of block count: "dtable", or "dtable (my_dtable)" with RTL of that name.
inline std::string pair_name(const std::string& block, const BlockChoice& choice) {
  return choice.rtl.empty() ? block : block + " (" + choice.rtl + ")";
}

/// Of the pairs of one kind of block.
struct LockstepCount {
  std::uint64_t pairs = 0;
  std::uint64_t cycles = 0;    ///< in which all outputs of a pair were compared, over all pairs
  std::uint64_t requests = 0;  ///< whose answers were compared, over all pairs; blocks that answer only when asked
};

/// Counts of a network by kind of block ("data_path"). They outlive the pairs, which count in them.
class LockstepCounts {
 public:
  /// A new pair: where it counts. The reference stays valid.
  LockstepCount& add_pair(const std::string& block) {
    LockstepCount& count = by_block_[block];
    ++count.pairs;
    return count;
  }
  const std::map<std::string, LockstepCount>& by_block() const { return by_block_; }

 private:
  std::map<std::string, LockstepCount> by_block_;
};

}  // namespace weft
