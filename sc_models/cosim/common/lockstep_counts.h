#pragma once
// Counts of what lockstep pairs have compared: a run that found no difference says how much it looked at.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/implementation.h"
#include "cosim/common/rtl_block.h"

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
  /// A new pair: where it counts. The reference stays valid. `rtl`: its Verilated block, which counts what its pins do.
  LockstepCount& add_pair(const std::string& block, RtlBlock& rtl) {
    rtl.watch_pins();
    blocks_[block].push_back(&rtl);
    LockstepCount& count = by_block_[block];
    ++count.pairs;
    return count;
  }
  const std::map<std::string, LockstepCount>& by_block() const { return by_block_; }
  /// Of all pairs of a kind of block, which must still be there.
  PinToggles toggles(const std::string& block) const {
    PinToggles out;
    for (const RtlBlock* rtl : blocks_.at(block)) {
      const PinToggles its = rtl->toggles();
      out.bits += its.bits;
      out.toggled += its.toggled;
    }
    return out;
  }
  /// Cover properties of the RTL of a kind of block, and the pairs in which each has held; of all pairs, as above.
  using Covers = std::map<std::string, std::map<std::string, std::uint64_t>>;
  Covers covers() const;

 private:
  std::map<std::string, LockstepCount> by_block_;
  std::map<std::string, std::vector<RtlBlock*>> blocks_;
};

}  // namespace weft
