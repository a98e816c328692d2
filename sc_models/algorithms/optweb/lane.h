#pragma once
// One direction of a link in word cycles: the transmitter of the block at one end (algorithms/optweb/link_sync.h) and
// the receiver of the block at the other, joined by the lane. What a run of the data-active signal costs comes out of
// the blocks, model or RTL: each run goes through both of them, from a lane at rest to a lane at rest, and what comes
// out must be what was sent. Cycles in which both say that nothing changes are left out, so a run costs the same
// whatever its length.

#include <cstdint>
#include <string>
#include <utility>

#include "algorithms/optweb/link_sync.h"

namespace weft::optweb {

class Lane {
 public:
  /// `gap`: of the transmitter; `name`: of the lane, in messages. The blocks must outlive it.
  Lane(LinkSyncIf& transmitter, LinkSyncIf& receiver, std::uint32_t gap, std::string name)
      : transmitter_(transmitter), receiver_(receiver), gap_(gap), name_(std::move(name)) {}

  // All throw RunError when the receiver does not get what was sent.

  /// Active cycles of a run of so many words, 1 or more.
  std::uint64_t data(std::uint64_t words);
  /// Active cycles of a notification.
  std::uint64_t notification();
  /// Cycles by which a notification in the middle of a run delays the words behind it.
  std::uint64_t cut();

 private:
  struct Counts {
    std::uint64_t active = 0;    // cycles of the lane
    std::uint64_t taken = 0;     // words, by the transmitter
    std::uint64_t notes = 0;     // notifications, by the transmitter
    std::uint64_t received = 0;  // words
    std::uint64_t notified = 0;
    bool in_order = true;
  };
  void begin();
  /// A word cycle of both blocks. Returns whether a word was taken, or a notification if one waits.
  bool step(bool notify, bool valid);
  bool steady(bool valid) const;
  /// Lets words through until nothing changes any more.
  void run_up(std::uint64_t most);
  void drain();
  void check() const;

  LinkSyncIf& transmitter_;
  LinkSyncIf& receiver_;
  std::uint32_t gap_;
  std::string name_;
  Counts counts_;
  std::uint64_t next_word_ = 1;
  std::uint64_t last_received_ = 0;
  bool lane_ = false;  // active
};

}  // namespace weft::optweb
