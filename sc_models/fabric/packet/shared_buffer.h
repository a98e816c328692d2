#pragma once
// Space of a buffer whose VLs share it dynamically, each with a guaranteed minimum and a maximum; also the sender's
// count of the credits of such a buffer. Space is taken for a whole message at once and comes back flit by flit, as a
// drain: a known ramp over coming cycles. So a message costs one taking and one drain, and the room in any cycle is
// exact. Rule of sharing: docs/packet_switches.md, "Buffers and room".

#include <algorithm>
#include <cstdint>

#include "base/inline_array.h"
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

class alignas(64) SharedBuffer {
 public:
  explicit SharedBuffer(const BufferShares& shares);

  /// Space for a message of VL `lane` in the cycle last advanced to.
  std::int64_t room(VirtualLane lane) const {
    const Lane& l = lanes_[lane];
    return std::min(l.maximum - l.used, std::max(0, l.minimum - l.used) + shared_);
  }
  void take(VirtualLane lane, std::uint32_t flits) {
    set(lanes_[lane], lanes_[lane].used + static_cast<std::int32_t>(flits));
  }
  void add(VirtualLane lane, const Drain& drain, Cycle now) {
    // When the next drain comes, those before it are mostly over.
    while (count_ > 0 && pending(0).over(now)) {
      const Pending& p = pending(0);
      give_back(lanes_[p.lane], p.flits - p.done);
      ++first_;
      --count_;
    }
    if (count_ == drains_.size()) grow();
    pending(count_++) = Pending(drain, lane);
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
  /// No later than the first cycle in which `more` further flits can be free. Precondition: draining().
  Cycle earliest(Cycle now, std::int64_t more) const;

  std::int64_t used(VirtualLane lane) const { return lanes_[lane].used; }
  std::int64_t used() const;
  /// What is used by messages that have not begun to leave: used(lane) without what the drains will still give back.
  std::int64_t held(VirtualLane lane) const;
  std::int64_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t kFew = 2;  // drains that lie in the buffer itself
  struct Lane {
    std::int32_t used = 0;
    std::int32_t minimum = 0;
    std::int32_t maximum = 0;
  };
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
  void set(Lane& l, std::int32_t used) {
    shared_ += std::max(0, l.used - l.minimum) - std::max(0, used - l.minimum);
    l.used = used;
  }
  void give_back(Lane& l, std::uint32_t flits) { set(l, l.used - static_cast<std::int32_t>(flits)); }
  /// Drain number i from the first that has not been counted to its end.
  Pending& pending(std::uint32_t i) { return drains_[(first_ + i) & (drains_.size() - 1)]; }
  const Pending& pending(std::uint32_t i) const { return drains_[(first_ + i) & (drains_.size() - 1)]; }
  void grow();
  void release(Cycle now);

  // In this order what one VL needs fits a line of the cache, and the drains another.
  std::int32_t shared_ = 0;  // flits outside all minima that nobody uses
  std::int32_t capacity_ = 0;
  std::uint32_t first_ = 0;  // place of the first pending drain
  std::uint32_t count_ = 0;  // of pending drains
  InlineArray<Lane, kFewLanes> lanes_;
  alignas(64) InlineArray<Pending, kFew> drains_ = InlineArray<Pending, kFew>(kFew);  // a ring, a power of two
};

}  // namespace weft
