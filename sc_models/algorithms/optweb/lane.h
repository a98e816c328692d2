#pragma once
// The two ends of a lane in word cycles: the transmitter of a link_sync block (algorithms/optweb/link_sync.h) and the
// receiver of the block at the other end of the link. Words are numbered from 1 in the order in which they are taken;
// the number stands for the data. Neither end knows time: who steps them says when a word cycle is
// (fabrics/optweb/link/lane_ends.h).

#include <cstdint>

#include "algorithms/optweb/link_sync.h"

namespace weft::optweb {

/// What a lane carries in a word cycle.
struct LaneSymbol {
  bool active = false;
  std::uint64_t word = 0;  ///< 0: none
  bool operator==(const LaneSymbol&) const = default;
};

class LaneTransmitter {
 public:
  /// `block`: its inputs from the link stay at rest. It must outlive the transmitter.
  explicit LaneTransmitter(LinkSyncIf& block) : block_(block) {}

  struct Result {
    LaneSymbol lane;
    bool noted = false;  ///< the notification is taken
    bool taken = false;  ///< the word is taken
  };
  /// A word cycle in which a notification or a word, or both, wait.
  Result step(bool notify, bool valid);
  /// True inside a run when further word cycles change nothing but words.
  bool steady() const;
  /// So many word cycles inside the run are not stepped, in each of which a word is taken. Precondition: steady().
  void leave_out(std::uint64_t words) { words_ += words; }
  /// Words taken.
  std::uint64_t words() const { return words_; }

 private:
  LinkSyncIf& block_;
  std::uint64_t words_ = 0;
};

class LaneReceiver {
 public:
  /// `block`: its inputs to be sent stay at rest. It must outlive the receiver.
  explicit LaneReceiver(LinkSyncIf& block) : block_(block) {}

  struct Result {
    std::uint64_t word = 0;  ///< received, from the lane of the word cycle before; 0: none
    bool notified = false;   ///< the lane two word cycles ago was a notification
  };
  Result step(const LaneSymbol& lane);
  /// As of the transmitter.
  bool steady() const;

 private:
  LinkSyncIf& block_;
  bool active_ = false;  // the lane
};

}  // namespace weft::optweb
