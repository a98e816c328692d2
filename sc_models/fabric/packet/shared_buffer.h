#pragma once
// Space of a buffer whose VLs share it dynamically, each with a guaranteed minimum and a maximum; also the sender's
// count of the credits of such a buffer. Space is taken for a whole message at once and comes back flit by flit, as a
// drain: a known ramp over coming cycles. So a message costs one taking and one drain, and the room in any cycle is
// exact. Rule of sharing: docs/packet_switches.md, "Buffers and room".

#include <algorithm>
#include <cstdint>

#include "base/hot_memory.h"
#include "base/inline_array.h"
#include "base/prefetch.h"
#include "base/units.h"
#include "fabric/packet/parameters.h"

namespace weft {

/// Flits that leave a buffer: after cycle c, min(flits, rate * (c - start + 1), c - arrive + 1) of them have left.
struct Drain {
  Cycle start = 0;   ///< cycle of the first
  Cycle arrive = 0;  ///< cycle in which the first flit is there; the following come one per cycle
  std::uint32_t rate = 1;
  std::uint32_t flits = 0;

  std::uint32_t gone(Cycle c) const {
    if (c < start) return 0;
    const auto most = std::min<std::int64_t>(rate * (c - start + 1), c - arrive + 1);
    return static_cast<std::uint32_t>(std::min<std::int64_t>(flits, most));
  }
  /// Cycle in which flit number n (from 1) leaves.
  Cycle when(std::uint32_t n) const {
    return std::max(start + static_cast<Cycle>((n + rate - 1) / rate) - 1, arrive + static_cast<Cycle>(n) - 1);
  }
  Cycle last() const { return when(flits); }
};

class alignas(64) SharedBuffer : public HotObject {
 public:
  /// Of no use before another one is assigned to it.
  SharedBuffer() = default;
  /// `shares` must outlive the buffer: networks have many buffers of the same shares.
  explicit SharedBuffer(const BufferShares& shares);
  explicit SharedBuffer(const BufferShares&& shares) = delete;

  /// Space for a message of VL `lane` in the cycle last advanced to.
  std::int64_t room(VirtualLane lane) const {
    const std::int32_t used = used_[lane];
    return std::min(maximum(lane) - used, std::max(0, minimum(lane) - used) + shared_);
  }
  void take(VirtualLane lane, std::uint32_t flits) { set(lane, used_[lane] + static_cast<std::int32_t>(flits)); }
  void add(VirtualLane lane, const Drain& drain, Cycle now) {
    // Mostly the one before it is over, and gives its place.
    if (count_ > 0 && drains_[0].over(now)) {
      give_back(drains_[0].lane, drains_[0].flits - drains_[0].done);
      drains_[0] = Pending(drain, lane);
      return;
    }
    if (count_ == drains_.size()) make_place(now);
    drains_[count_++] = Pending(drain, lane);
  }
  /// Moves the present on; cycles never go back. Between calls room() is a lower bound.
  void advance(Cycle now) {
    if (draining()) release(now);
  }
  /// Flits that are missing for a message in cycle `now`; none: 0 or less. Looks at drains only if it has to.
  std::int64_t lacking(VirtualLane lane, std::uint32_t flits, Cycle now) {
    const std::int64_t before = flits - room(lane);
    if (before <= 0 || !draining()) return before;
    release(now);
    return flits - room(lane);
  }
  bool draining() const { return count_ > 0; }
  /// Flits that whoever takes space waits for, 0: none. A note for its use, beside what changes when they come.
  std::int32_t wanted() const { return wanted_; }
  void want(std::int32_t flits) { wanted_ = flits; }
  /// No later than the first cycle in which `more` further flits can be free. Precondition: draining().
  Cycle earliest(Cycle now, std::int64_t more) const;

  /// Brings it into the cache; or what taking space needs.
  void fetch() const { prefetch(this, this + 1); }
  void fetch_room() const { prefetch(this); }

  std::int64_t used(VirtualLane lane) const { return used_[lane]; }
  std::int64_t used() const;
  /// What is used by messages that have not begun to leave: used(lane) without what the drains will still give back.
  std::int64_t held(VirtualLane lane) const;
  std::int64_t capacity() const { return shares_->capacity; }

 private:
  static constexpr std::size_t kFew = 2;  // drains that lie in the buffer itself
  /// A drain and how much of it has been counted, in few bytes. A message that has been there as a whole before it
  /// begins to leave leaves in the same way however long it has been there.
  struct Pending {
    Pending() = default;
    Pending(const Drain& d, VirtualLane of)
        : start(d.start),
          ahead(static_cast<std::int32_t>(std::min<Cycle>(d.start - d.arrive, d.flits))),
          flits(d.flits),
          lane(of),
          rate(static_cast<std::uint8_t>(d.rate)) {}
    Drain drain() const { return {start, start - ahead, rate, flits}; }
    /// It is over in any case; at a rate above 1 it may be before.
    bool over(Cycle now) const {
      const Cycle passed = now - start + std::min(ahead, 0);
      return passed + 1 >= static_cast<Cycle>(flits);
    }

    Cycle start = 0;
    std::int32_t ahead = 0;  // cycles from the arrival of the first flit to the start
    std::uint32_t flits = 0;
    std::uint32_t done = 0;
    VirtualLane lane = 0;
    std::uint8_t rate = 1;
  };
  std::int32_t minimum(VirtualLane lane) const { return static_cast<std::int32_t>(shares_->minimum[lane]); }
  std::int32_t maximum(VirtualLane lane) const { return static_cast<std::int32_t>(shares_->maximum[lane]); }
  void set(VirtualLane lane, std::int32_t used) {
    std::int32_t& now = used_[lane];
    shared_ += std::max(0, now - minimum(lane)) - std::max(0, used - minimum(lane));
    now = used;
  }
  void give_back(VirtualLane lane, std::uint32_t flits) { set(lane, used_[lane] - static_cast<std::int32_t>(flits)); }
  void make_place(Cycle now);
  void release(Cycle now);

  // A line of the cache, and another for the drains.
  std::int32_t shared_ = 0;  // flits outside all minima that nobody uses
  std::uint32_t count_ = 0;  // of drains that have not been counted to their end
  const BufferShares* shares_ = nullptr;
  [[no_unique_address]] InlineArray<std::int32_t, kFewLanes> used_;  // per VL
  std::int32_t wanted_ = 0;
  alignas(64) InlineArray<Pending, kFew> drains_ = InlineArray<Pending, kFew>(kFew);
};
static_assert(sizeof(SharedBuffer) == 128);

}  // namespace weft
