#pragma once
// Space of a buffer whose VLs share it dynamically, each with a guaranteed minimum and a maximum; also the sender's
// count of the credits of such a buffer. Space is taken for a whole message at once and comes back flit by flit, as a
// drain: a known ramp over coming cycles. So a message costs one taking and one drain, and the room in any cycle is
// exact. Rule of sharing: docs/packet_switches.md, "Buffers and room".

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/hot_memory.h"
#include "base/units.h"
#include "fabrics/packet/common/parameters.h"

namespace weft {

/// Flits that leave a buffer: after cycle c, min(flits, rate * (c - start + 1), c - arrive + 1) of them have left.
struct Drain {
  Cycle start = 0;   ///< cycle of the first
  Cycle arrive = 0;  ///< cycle in which the first flit is there, at most `start`; the following come one per cycle
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

/// A line of the cache; what does not fit it, of many VLs, large buffers or more than two drains, lies elsewhere.
class alignas(64) SharedBuffer : public HotObject {
 public:
  /// Of no use before another one is assigned to it.
  SharedBuffer() : few_{} {}
  /// `shares` must outlive the buffer: networks have many buffers of the same shares.
  explicit SharedBuffer(const BufferShares& shares);
  explicit SharedBuffer(const BufferShares&& shares) = delete;
  SharedBuffer(const SharedBuffer& other) : SharedBuffer() { *this = other; }
  SharedBuffer& operator=(const SharedBuffer& other);
  ~SharedBuffer() {
    if (wide_) delete more_;
  }

  /// Space for a message of VL `lane` in the cycle last advanced to.
  std::int64_t room(VirtualLane lane) const {
    const std::int32_t used = count(lane);
    return std::min(maximum(lane) - used, std::max(0, minimum(lane) - used) + shared_);
  }
  /// The same in cycle `now`, no earlier than that one.
  std::int64_t room_at(VirtualLane lane, Cycle now) const {
    SharedBuffer then(*this);
    then.advance(now);
    return then.room(lane);
  }
  void take(VirtualLane lane, std::uint32_t flits) { set(lane, count(lane) + static_cast<std::int32_t>(flits)); }
  /// `now`: no earlier than the last cycle advanced to, and no later than the start of the drain.
  void add(VirtualLane lane, const Drain& drain, Cycle now) {
    if (drains_ == 0) counted_ = now;
    const Cycle after = drain.start - counted_;  // and now - counted_ is at most that
    if (wide_ || after <= 0 || after > kFar) return add_slowly(lane, drain, now);
    // Mostly one before it is over, even at one flit per cycle, and gives its place.
    const auto passed = static_cast<std::int32_t>(now - counted_);
    std::uint32_t place = 0;
    for (; place < drains_; ++place) {
      if (passed - start_[place] + 1 < flits_[place]) continue;
      const std::uint32_t counted = start_[place] > 0 ? 0 : in_line(place, counted_).gone(counted_);
      give_back(lane_[place], flits_[place] - counted);
      break;
    }
    if (place == kFew) return add_slowly(lane, drain, now);
    if (place == drains_) ++drains_;
    put_in_line(place, Pending(drain, lane), counted_);
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
  bool draining() const { return drains_ > 0; }
  /// Whether who takes space waits for more of it. A note for its use, beside what changes when that comes.
  bool wanted() const { return wanted_; }
  void want(bool more) { wanted_ = more; }
  /// No later than the first cycle in which `more` further flits can be free. Precondition: draining().
  Cycle earliest(Cycle now, std::int64_t more) const;

  /// Brings it into the cache.
  void fetch() const { prefetch(this); }
  /// And, when it is there, what does not fit its line.
  void fetch_more() const {
    if (wide_) prefetch(more_, more_ + 1);
  }

  std::int64_t used(VirtualLane lane) const { return count(lane); }
  std::int64_t used() const;
  /// Space of messages that have not begun to leave: used(lane) without what the drains will still give back.
  std::int64_t held(VirtualLane lane) const;
  std::int64_t capacity() const { return shares_->capacity; }

 private:
  static constexpr std::uint32_t kFew = 2;       // drains that lie in the buffer itself
  static constexpr Cycle kFar = Cycle{1} << 30;  // times of those are kept as differences
  /// A drain that has not been counted to its end. A message that has been there as a whole before it begins to leave
  /// leaves in the same way however long it has been there.
  struct Pending {
    Pending() = default;
    Pending(const Drain& d, VirtualLane of)
        : start(d.start),
          ahead(static_cast<std::uint32_t>(std::min<Cycle>(d.start - d.arrive, d.flits))),
          flits(d.flits),
          lane(of),
          rate(static_cast<std::uint16_t>(d.rate)) {}
    Drain drain() const { return {start, start - ahead, rate, flits}; }
    std::uint32_t gone(Cycle c) const { return drain().gone(c); }
    bool over(Cycle now) const { return gone(now) == flits; }

    Cycle start = 0;
    std::uint32_t ahead = 0;  // cycles from the arrival of the first flit to the start
    std::uint32_t flits = 0;
    VirtualLane lane = 0;
    std::uint16_t rate = 1;
  };
  /// Rest that does not fit the cache line.
  struct More {
    std::array<std::int32_t, kMaxLanes> used{};  // per VL
    std::array<Pending, 8> first;
    std::vector<Pending> others;
    Pending& drain(std::size_t i) { return i < first.size() ? first[i] : others[i - first.size()]; }
    std::size_t places() const { return first.size() + others.size(); }
  };

  std::int32_t minimum(VirtualLane lane) const { return static_cast<std::int32_t>(shares_->minimum[lane]); }
  std::int32_t maximum(VirtualLane lane) const { return static_cast<std::int32_t>(shares_->maximum[lane]); }
  std::int32_t count(VirtualLane lane) const { return wide_ ? more_->used[lane] : few_[lane]; }
  void set(VirtualLane lane, std::int32_t used) {
    shared_ += std::max(0, count(lane) - minimum(lane)) - std::max(0, used - minimum(lane));
    if (wide_) {
      more_->used[lane] = used;
    } else {
      few_[lane] = static_cast<std::int16_t>(used);
    }
  }
  void give_back(VirtualLane lane, std::uint32_t flits) { set(lane, count(lane) - static_cast<std::int32_t>(flits)); }

  std::size_t places() const { return wide_ ? more_->places() : kFew; }
  /// Drain number i; `from`: the cycle that times in the line are kept from.
  Pending load(std::uint32_t i, Cycle from) const { return wide_ ? more_->drain(i) : in_line(i, from); }
  Pending in_line(std::uint32_t i, Cycle from) const {
    Pending p;
    p.start = from + start_[i];
    p.ahead = ahead_[i];
    p.flits = flits_[i];
    p.lane = lane_[i];
    p.rate = rate_[i];
    return p;
  }
  void store(std::uint32_t i, const Pending& p, Cycle from) {
    if (!wide_ && p.start - from > kFar) widen();
    if (wide_) {
      more_->drain(i) = p;
    } else {
      put_in_line(i, p, from);
    }
  }
  void put_in_line(std::uint32_t i, const Pending& p, Cycle from) {
    start_[i] = static_cast<std::int32_t>(p.start - from);
    ahead_[i] = static_cast<std::uint16_t>(p.ahead);
    flits_[i] = static_cast<std::uint16_t>(p.flits);
    lane_[i] = p.lane;
    rate_[i] = p.rate;
  }
  void widen();
  void add_slowly(VirtualLane lane, const Drain& drain, Cycle now);
  void make_place(Cycle now);
  void release(Cycle now);

  Cycle counted_ = 0;  // what the drains have given back up to this cycle is no longer used
  const BufferShares* shares_ = nullptr;
  union {
    std::array<std::int16_t, kFewLanes> few_;  // flits in use per VL; less than none if credits come from nowhere
    More* more_;                               // when wide
  };
  std::int32_t shared_ = 0;  // flits outside all minima that nobody uses
  std::uint32_t drains_ = 0;
  std::array<std::int32_t, kFew> start_{};  // of the drains, when not wide
  std::array<std::uint16_t, kFew> ahead_{};
  std::array<std::uint16_t, kFew> flits_{};
  std::array<VirtualLane, kFew> lane_{};
  std::array<std::uint16_t, kFew> rate_{};
  bool wide_ = false;
  bool wanted_ = false;
};
static_assert(sizeof(SharedBuffer) == 64);

}  // namespace weft
